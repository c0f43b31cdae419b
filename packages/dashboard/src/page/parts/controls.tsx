import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";

/** A field for text that filters a view; `/` focuses it. Typing reaches the URL after a pause. */
export function SearchField({
  value,
  placeholder,
  onChange,
}: {
  readonly value: string;
  readonly placeholder: string;
  readonly onChange: (value: string) => void;
}): JSX.Element {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sent = useRef(value);
  // What comes back from the URL is older than what is being typed.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  const send = (next: string): void => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = next;
      onChange(next);
    }, 120);
  };
  return (
    <input
      type="search"
      class="search"
      data-search
      aria-label={placeholder}
      placeholder={placeholder}
      value={text}
      onInput={(event) => send(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        if (text === "") event.currentTarget.blur();
        else send("");
      }}
    />
  );
}

/** A selection among values, with the number of what has each. */
export function Choice({
  label,
  value,
  all,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  /** The text of the option that does not filter. */
  readonly all: string;
  readonly options: readonly (readonly [value: string, count: number])[];
  readonly onChange: (value: string) => void;
}): JSX.Element {
  const isKnown = value === "" || options.some(([option]) => option === value);
  return (
    <select
      class={value === "" ? "choice" : "choice is-set"}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">{all}</option>
      {isKnown ? null : <option value={value}>{value}</option>}
      {options.map(([option, count]) => (
        <option key={option} value={option}>
          {count < 0 ? option : `${option} (${String(count)})`}
        </option>
      ))}
    </select>
  );
}

/** A button that is on or off. */
export function Toggle({
  isOn,
  onChange,
  title,
  children,
}: {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly title?: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <button type="button" class="toggle" aria-pressed={isOn} title={title} onClick={() => onChange(!isOn)}>
      {children}
    </button>
  );
}

/** One of several values, side by side. */
export function Segments<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly title: string; readonly count?: number }[];
  readonly onChange: (value: Value) => void;
}): JSX.Element {
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.title}
          {option.count === undefined ? null : <span class="count"> {option.count}</span>}
        </button>
      ))}
    </div>
  );
}

/** A button that copies a text, and confirms it. */
export function CopyButton({ text, label = "Copy" }: { readonly text: string; readonly label?: string }): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <button
      type="button"
      class="button small"
      title={text}
      onClick={() => void copyText(text).then(() => setCopied(true))}
    >
      <span aria-live="polite">{isCopied ? "Copied" : label}</span>
    </button>
  );
}

async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Browsers without permission for the clipboard still copy a selection.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

/** Tabs with their panel; the keys left and right change them. */
export function Tabs<Value extends string>({
  label,
  value,
  tabs,
  onChange,
  children,
}: {
  readonly label: string;
  readonly value: Value;
  readonly tabs: readonly { readonly value: Value; readonly title: string; readonly count?: number }[];
  readonly onChange: (value: Value) => void;
  readonly children: ComponentChildren;
}): JSX.Element {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent, step: number): void => {
    const index = tabs.findIndex((tab) => tab.value === value);
    const next = (index + step + tabs.length) % tabs.length;
    const tab = tabs[next];
    if (tab === undefined) return;
    event.preventDefault();
    onChange(tab.value);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <>
      <div
        ref={list}
        class="tabs"
        role="tablist"
        aria-label={label}
        onKeyDown={(event) => {
          if (event.key === "ArrowRight") move(event, 1);
          if (event.key === "ArrowLeft") move(event, -1);
        }}
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={tab.value === value ? `${id}-panel` : undefined}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
          >
            {tab.title}
            {tab.count === undefined ? null : <span class="count"> {tab.count}</span>}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} tabIndex={0}>
        {children}
      </div>
    </>
  );
}
