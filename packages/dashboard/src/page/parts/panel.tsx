import type { ComponentChildren, JSX } from "preact";

/** The details of what is selected, beside a list. */
export function Panel({
  label,
  title,
  subtitle,
  actions,
  onClose,
  children,
}: {
  readonly label: string;
  readonly title: ComponentChildren;
  readonly subtitle?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <aside class="panel" aria-label={label}>
      <header class="panel-head">
        <div class="panel-title">
          <h2>{title}</h2>
          {subtitle === undefined ? null : <p>{subtitle}</p>}
        </div>
        <div class="panel-actions">
          {actions}
          <button type="button" class="button quiet" data-close onClick={onClose} title="Close the details (Esc)">
            Close
          </button>
        </div>
      </header>
      <div class="panel-body">{children}</div>
    </aside>
  );
}

/** Names with values, such as the facts of a call. */
export function Facts({
  items,
}: {
  readonly items: readonly (readonly [name: string, value: ComponentChildren] | undefined)[];
}): JSX.Element {
  return (
    <dl class="facts">
      {items.map((item) =>
        item === undefined ? null : (
          <div key={item[0]}>
            <dt>{item[0]}</dt>
            <dd>{item[1]}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
