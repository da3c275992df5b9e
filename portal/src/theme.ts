import {
  convertCssVariables,
  createTheme,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  mergeMantineTheme,
} from "@mantine/core";

/** Deep teal: shade 7 on light pages, shade 4 on dark ones. */
const brand: MantineColorsTuple = [
  "#f0fdfa",
  "#ccfbf1",
  "#99f6e4",
  "#5eead4",
  "#2dd4bf",
  "#14b8a6",
  "#0d9488",
  "#0f766e",
  "#115e59",
  "#134e4a",
];
const slate: MantineColorsTuple = [
  "#f8fafc",
  "#f1f5f9",
  "#e2e8f0",
  "#cbd5e1",
  "#94a3b8",
  "#64748b",
  "#475569",
  "#334155",
  "#1e293b",
  "#0f172a",
];
/** The surfaces of dark pages: text, borders, cards, page. */
const night: MantineColorsTuple = [
  "#e6ebf1",
  "#cbd5e1",
  "#9aa8ba",
  "#64748b",
  "#2b3745",
  "#232e3b",
  "#18212b",
  "#10171e",
  "#0b1117",
  "#070b10",
];
/** Only what can't be undone is red. */
const red: MantineColorsTuple = [
  "#fef2f2",
  "#fee2e2",
  "#fecaca",
  "#fca5a5",
  "#f87171",
  "#ef4444",
  "#dc2626",
  "#b91c1c",
  "#991b1b",
  "#7f1d1d",
];

const floats = { radius: "md", shadow: "md", transitionProps: { duration: 120 } } as const;

/** Its head is part of it, not of the page. */
const dialogue = { attributes: { header: { role: "presentation" } } } as const;

export const theme = createTheme({
  colors: { brand, gray: slate, dark: night, red },
  primaryColor: "brand",
  primaryShade: { light: 7, dark: 4 },
  // The brand's colour is light on dark pages, and what is written on it is dark then.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    const isBrand = input.variant === "filled" && (input.color ?? "brand") === "brand";
    return isBrand ? { ...colors, color: "var(--on-brand)" } : colors;
  },
  fontFamily: '"Inter", "Inter Nigerian", system-ui, sans-serif',
  fontFamilyMonospace: '"JetBrains Mono", ui-monospace, monospace',
  fontSizes: { xs: "0.75rem", sm: "0.875rem", md: "0.875rem", lg: "1rem", xl: "1.25rem" },
  lineHeights: { xs: "1.4", sm: "1.5", md: "1.5", lg: "1.5", xl: "1.4" },
  defaultRadius: "md",
  radius: { xs: "3px", sm: "5px", md: "8px", lg: "12px", xl: "999px" },
  headings: { fontWeight: "600" },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    // Locking the page would need a style from a script, which the pages' policy forbids; base.css does it.
    Modal: { defaultProps: { lockScroll: false, centered: true, ...dialogue, ...floats } },
    Drawer: { defaultProps: { lockScroll: false, position: "right", ...dialogue, ...floats, radius: 0 } },
    Menu: { defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false, ...floats } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    Checkbox: { defaultProps: { iconColor: "var(--on-brand)" } },
    Radio: { defaultProps: { iconColor: "var(--on-brand)" } },
    Button: { defaultProps: { size: "sm" } },
    Skeleton: { defaultProps: { radius: "sm" } },
  },
});

/** Where Mantine's own choice is not that of tokens.css. */
const OURS = {
  "--mantine-color-body": "var(--page)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-dimmed": "var(--soft)",
  "--mantine-color-placeholder": "var(--soft)",
  "--mantine-color-error": "var(--failed-ink)",
};

/** The theme as a style sheet. */
export function themeCss(): string {
  const { variables, light, dark } = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme));
  return convertCssVariables({ variables, light: { ...light, ...OURS }, dark: { ...dark, ...OURS } }, ":root");
}
