import { useRoute } from "vitepress";
// The default theme, with a field above each long table that shows only the rows with a text.
import DefaultTheme from "vitepress/theme";
import { nextTick, onMounted, watch } from "vue";

import "./navigation.css";
import "./tables.css";

// A table of this many rows does not fit on a screen.
const LONG_ROWS = 20;

export default {
  extends: DefaultTheme,
  setup() {
    const route = useRoute();
    const update = () => nextTick(addFilters);
    onMounted(update);
    watch(() => route.path, update);
  },
};

function addFilters() {
  for (const table of document.querySelectorAll(".vp-doc table")) {
    const rows = [...table.querySelectorAll("tbody tr")];
    if (rows.length < LONG_ROWS || table.previousElementSibling?.classList.contains("table-filter") === true) continue;
    table.before(filterFor(rows));
  }
}

function filterFor(rows) {
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const input = document.createElement("input");
  input.className = "table-filter";
  input.type = "search";
  input.placeholder = `Filter ${String(rows.length)} rows`;
  input.setAttribute("aria-label", "Filter the rows of the table");
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    rows.forEach((row, index) => {
      row.hidden = !texts[index].includes(wanted);
    });
  });
  return input;
}
