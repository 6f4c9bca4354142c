/**
 * Runs before the first paint: sets the theme, and how wide the page may be. A file and no
 * script in the HTML, which the policy forbids; no module, which would come too late.
 */

const DARK = matchMedia("(prefers-color-scheme: dark)");

/** Show a theme: light, dark, or with anything else the one of the system. @param {unknown} theme */
function showTheme(theme) {
  const isDark = theme === "dark" || (theme !== "light" && DARK.matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  const bars = document.querySelector("meta[name=theme-color]");
  bars?.setAttribute("content", isDark ? "#15171B" : "#FBF8F1");
}

function showChosenTheme() {
  try {
    showTheme(JSON.parse(localStorage.getItem("ninefold.theme") ?? "null"));
  } catch {
    showTheme(null); // storage is forbidden, or holds no JSON
  }
}

showChosenTheme();
DARK.addEventListener("change", showChosenTheme);
addEventListener("storage", showChosenTheme); // chosen in another tab
document.documentElement.classList.toggle(
  "broad",
  /^\/($|class\b|learn\b|m\/)/.test(location.pathname),
);
document.documentElement.classList.toggle(
  "in-class", // where nothing leads elsewhere
  /^\/(class|teach)\b/.test(location.pathname),
);
