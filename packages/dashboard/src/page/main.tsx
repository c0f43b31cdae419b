/**
 * The page of the dashboard: connects to the process that served it, and renders what it receives.
 */
import "./styles/index.css";
import { render } from "preact";

import { openEventStream } from "./feed/event-stream.ts";
import { App } from "./frame/app.tsx";
import { StoreContext } from "./state/hooks.ts";
import { BROWSER_SCHEDULER, Store } from "./state/store.ts";
import { applyTheme, followSystemTheme } from "./theme/theme.ts";

applyTheme();
followSystemTheme();

const store = new Store(BROWSER_SCHEDULER);
const lifetime = new AbortController();
openEventStream(
  "./events",
  {
    onMessages: (messages) => store.receive(messages),
    onConnection: (connection) => store.setConnection(connection),
  },
  lifetime.signal,
);
addEventListener("pagehide", () => lifetime.abort());

// In its own task, so that neither loading nor rendering is long.
setTimeout(() => {
  const root = document.getElementById("app");
  if (root === null) return;
  render(
    <StoreContext.Provider value={store}>
      <App />
    </StoreContext.Provider>,
    root,
  );
});
