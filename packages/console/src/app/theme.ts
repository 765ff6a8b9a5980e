import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

/** The accent: a deep teal, dark enough for white text from the sixth shade on. */
const teal: MantineColorsTuple = [
  "#e8f7f6",
  "#d3ecea",
  "#a6d8d5",
  "#75c3bf",
  "#4eb0ad",
  "#2b9698",
  "#127f86",
  "#0c6b75",
  "#0a5862",
  "#06434c",
];

/** Greys with a trace of the accent; the dark ones are the surfaces of the dark theme. */
const dark: MantineColorsTuple = [
  "#e3e8e9",
  "#c3cbcd",
  "#9ba6a9",
  "#748084",
  "#3d474a",
  "#2b3436",
  "#20282a",
  "#161c1e",
  "#111617",
  "#0b0f10",
];

export const theme = createTheme({
  primaryColor: "teal",
  primaryShade: { light: 7, dark: 6 },
  colors: { teal, dark },
  fontFamily:
    '"Inter", -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.125rem" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.375rem", lineHeight: "1.3" },
      h2: { fontSize: "1rem", lineHeight: "1.4" },
      h3: { fontSize: "0.875rem", lineHeight: "1.45" },
    },
  },
  defaultRadius: "md",
  radius: { xs: "3px", sm: "5px", md: "7px", lg: "10px", xl: "16px" },
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  components: {
    // A word that is cut says nothing: a badge is as wide as its text.
    Badge: { styles: { root: { maxWidth: "none", flexShrink: 0 } } },
    Button: { defaultProps: { size: "sm" } },
    TextInput: { defaultProps: { size: "sm" } },
    PasswordInput: { defaultProps: { size: "sm" } },
    NumberInput: { defaultProps: { size: "sm" } },
    Select: { defaultProps: { size: "sm", comboboxProps: { shadow: "md" } } },
    MultiSelect: { defaultProps: { size: "sm" } },
    Textarea: { defaultProps: { size: "sm" } },
    Tooltip: { defaultProps: { openDelay: 250, multiline: true, maw: 360 } },
    Drawer: { defaultProps: { position: "right", padding: "lg" } },
    Modal: { defaultProps: { centered: true, padding: "lg" } },
    Paper: { defaultProps: { withBorder: true } },
  },
});

/** What differs from Mantine's own colours, so that dimmed text keeps its contrast on every surface. */
export const colours: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#ffffff",
    "--mantine-color-text": "#182022",
    "--mantine-color-dimmed": "#57656a",
    "--mantine-color-placeholder": "#667479",
    "--mantine-color-anchor": "#0a5862",
    "--mantine-color-error": "#b42a2a",
    "--mantine-color-default-border": "#dde3e4",
    "--console-ground": "#f6f8f8",
    "--console-hover": "#eff4f4",
    "--console-good": "#1a7f4b",
    "--console-warn": "#8a5a00",
    "--console-bad": "#b42a2a",
  },
  dark: {
    "--mantine-color-body": "#161c1e",
    "--mantine-color-text": "#e3e8e9",
    "--mantine-color-dimmed": "#9ba9ad",
    "--mantine-color-placeholder": "#8a979b",
    "--mantine-color-anchor": "#75c3bf",
    "--mantine-color-error": "#f08a8a",
    "--mantine-color-default-border": "#2b3436",
    "--console-ground": "#101516",
    "--console-hover": "#1e2628",
    "--console-good": "#53c78b",
    "--console-warn": "#e0ad4e",
    "--console-bad": "#f08a8a",
  },
});
