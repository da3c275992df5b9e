/** Where the portal keeps the same choice. */
const KEPT = "mantine-color-scheme-value";

const chosen = (): string | null => {
  const kept = localStorage.getItem(KEPT);
  return kept === "light" || kept === "dark" ? kept : null;
};

/** Before anything is painted. */
export function showChosenColours(): void {
  const theme = chosen();
  if (theme) document.documentElement.dataset.theme = theme;
}

/** The button that changes from one to the other. */
export function offerColours(button: HTMLElement): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const now = () => chosen() ?? (dark.matches ? "dark" : "light");
  const show = () => {
    button.textContent = now() === "dark" ? "Light" : "Dark";
    button.title = `Use the ${now() === "dark" ? "light" : "dark"} colours`;
  };
  button.addEventListener("click", () => {
    localStorage.setItem(KEPT, now() === "dark" ? "light" : "dark");
    showChosenColours();
    show();
  });
  dark.addEventListener("change", show);
  show();
  button.hidden = false;
}
