"""Speech that another program makes: its arguments, its run, what it wrote. Standard library only, but for reading
sound.
"""
