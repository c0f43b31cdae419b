import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { Dialog } from "../parts/dialog.tsx";
import { hasShortcuts, setShortcuts, SHORTCUTS } from "./shortcuts.ts";

/** The shortcuts of the page. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const [isOn, setOn] = useState(hasShortcuts());
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div class="shortcuts">
        {SHORTCUTS.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {shortcuts.map(({ keys, action }) => (
                <div key={action}>
                  <dt>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{action}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <label class="inline">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => {
            setShortcuts(event.currentTarget.checked);
            setOn(event.currentTarget.checked);
          }}
        />{" "}
        Shortcuts of one character
      </label>
      <p class="muted">Filters and selections are in the address of the page: copy it to share the view.</p>
    </Dialog>
  );
}
