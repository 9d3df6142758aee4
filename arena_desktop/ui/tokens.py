"""The colours, for light and for dark, by what they are for. No Qt: the very first paint needs them too."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Tokens:
    """Colours by what they are for. Text tokens reach WCAG AA (4.5:1) on every ground they stand on."""

    window: str
    rail: str
    surface: str
    sunken: str
    line: str
    line_strong: str
    text: str
    muted: str
    accent: str
    on_accent: str
    accent_soft: str
    focus: str
    info_soft: str
    warning: str
    warning_soft: str
    error: str
    error_soft: str
    good: str
    good_soft: str


LIGHT = Tokens(
    window="#f4f5f6",
    rail="#eaecee",
    surface="#ffffff",
    sunken="#eceef0",
    line="#d5d9dd",
    line_strong="#868f98",
    text="#16191d",
    muted="#545d66",
    accent="#1b5e94",
    on_accent="#ffffff",
    accent_soft="#e3eef7",
    focus="#1b5e94",
    info_soft="#e6eef4",
    warning="#7a4d00",
    warning_soft="#fdf1d8",
    error="#a3211b",
    error_soft="#fce9e7",
    good="#1d6540",
    good_soft="#e2f2e9",
)

DARK = Tokens(
    window="#15181b",
    rail="#101214",
    surface="#1e2226",
    sunken="#2a2f35",
    line="#343a41",
    line_strong="#79838d",
    text="#eceff1",
    muted="#a7b0b9",
    accent="#82bdf0",
    on_accent="#0c1b29",
    accent_soft="#1d3348",
    focus="#9ccbf5",
    info_soft="#202c36",
    warning="#f0c674",
    warning_soft="#382d15",
    error="#f4a59e",
    error_soft="#3d201e",
    good="#8fd3ac",
    good_soft="#1b3326",
)
