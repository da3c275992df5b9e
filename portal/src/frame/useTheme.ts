import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";

/** The theme that is seen, and the way to the other one. */
export function useTheme() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme("light", { getInitialValueInEffect: false }) === "dark";
  return {
    icon: isDark ? ("sun" as const) : ("moon" as const),
    name: isDark ? "Use the light theme" : "Use the dark theme",
    change: () => setColorScheme(isDark ? "light" : "dark"),
  };
}
