import { Icon } from "./icon.tsx";
import { chooseTheme, type Theme, useTheme } from "./theme.ts";

const after: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const labels: Record<Theme, string> = { system: "as the system", light: "light", dark: "dark" };

/** Steps through system, light and dark. All three icons stand in the HTML; the theme on <html> shows one. */
export function ThemeSwitch() {
  const theme = useTheme();
  const label = `Theme: ${labels[theme]}. Switch to ${labels[after[theme]]}`;
  return (
    <button
      type="button"
      className="icon-btn theme-switch"
      aria-label={label}
      title={label}
      onClick={() => chooseTheme(after[theme])}
    >
      <Icon name="system" className="theme-switch__system" />
      <Icon name="sun" className="theme-switch__light" />
      <Icon name="moon" className="theme-switch__dark" />
    </button>
  );
}
