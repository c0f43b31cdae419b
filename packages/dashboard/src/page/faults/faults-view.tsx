import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { FaultState } from "../feed/protocol.ts";
import { setFault } from "../feed/requests.ts";
import { Nothing } from "../parts/text.tsx";
import { useSelect } from "../state/hooks.ts";

/** The faults that the development cluster can inject. */
export function FaultsView(): JSX.Element {
  const faults = useSelect((state) => state.faults);
  const all = [...faults.values()];
  const lasting = all.filter(({ isLasting }) => isLasting);
  const single = all.filter(({ isLasting }) => !isLasting);
  return (
    <div class="view scrolls">
      <div class="prose">
        <p>
          Faults affect only the manager: kubectl and this page see a healthy cluster. Use them to see that the operator
          recovers, and how long it takes; the timeline of its controllers shows it.
        </p>
        {all.length === 0 ? <Nothing>This cluster has no faults to inject.</Nothing> : null}
        {lasting.length === 0 ? null : <h2>Until you turn them off</h2>}
        <ul class="faults">
          {lasting.map((fault) => (
            <FaultItem key={fault.name} fault={fault} />
          ))}
        </ul>
        {single.length === 0 ? null : <h2>Once</h2>}
        <ul class="faults">
          {single.map((fault) => (
            <FaultItem key={fault.name} fault={fault} />
          ))}
        </ul>
      </div>
    </div>
  );
}

function FaultItem({ fault }: { readonly fault: FaultState }): JSX.Element {
  const { name, title, description, isLasting, isOn } = fault;
  const [sent, setSent] = useState<"" | "sending" | "done">("");
  const [failure, setFailure] = useState("");
  useEffect(() => {
    if (sent !== "done") return;
    const timer = setTimeout(() => setSent(""), 2000);
    return () => clearTimeout(timer);
  }, [sent]);
  const send = (turnOn: boolean): void => {
    setSent("sending");
    setFailure("");
    setFault({ name, isOn: turnOn }).then(
      () => setSent("done"),
      (error: unknown) => {
        setSent("");
        setFailure(error instanceof Error ? error.message : String(error));
      },
    );
  };
  return (
    <li class={isOn ? "fault is-on" : "fault"}>
      <div>
        <h3 id={`fault-${name}`}>{title}</h3>
        <p>{description}</p>
        {failure === "" ? null : (
          <p class="problem" role="alert">
            {failure}
          </p>
        )}
      </div>
      {isLasting ? (
        <button
          type="button"
          class="switch"
          role="switch"
          aria-checked={isOn}
          aria-labelledby={`fault-${name}`}
          disabled={sent === "sending"}
          onClick={() => send(!isOn)}
        >
          <span class="switch-knob" />
          <span class="switch-text">{isOn ? "On" : "Off"}</span>
        </button>
      ) : (
        <button
          type="button"
          class="button"
          aria-describedby={`fault-${name}`}
          disabled={sent === "sending"}
          onClick={() => send(true)}
        >
          <span aria-live="polite">{sent === "done" ? "Injected" : "Inject"}</span>
        </button>
      )}
    </li>
  );
}
