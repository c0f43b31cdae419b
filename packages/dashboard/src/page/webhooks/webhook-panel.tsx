import type { JSX } from "preact";
import { useState } from "preact/hooks";

import type { WebhookCall } from "../feed/protocol.ts";
import { Tabs } from "../parts/controls.tsx";
import { formatDuration, formatName, formatTime } from "../parts/format.ts";
import { Facts, Panel } from "../parts/panel.tsx";
import { Nothing } from "../parts/text.tsx";
import { ValueText } from "../parts/value-text.tsx";
import { patchOperations } from "./filter-calls.ts";

type Tab = "summary" | "patch" | "request" | "response";

/** A call of a webhook: its result, patch, request, and response. */
export function WebhookPanel({
  call,
  onClose,
}: {
  readonly call: WebhookCall | undefined;
  readonly onClose: () => void;
}): JSX.Element {
  const [tab, setTab] = useState<Tab>("summary");
  if (call === undefined)
    return (
      <Panel label="Webhook call" title="Not found" onClose={onClose}>
        <Nothing>The call is not recorded any more.</Nothing>
      </Panel>
    );
  const operations = patchOperations(call.patch);
  return (
    <Panel
      label="Webhook call"
      title={`${call.purpose} ${call.kind}`}
      subtitle={`${call.operation} ${formatName(call.namespace, call.name)}`}
      onClose={onClose}
    >
      <Tabs<Tab>
        label="Details"
        value={tab}
        tabs={[
          { value: "summary", title: "Summary" },
          { value: "patch", title: "Patch", count: operations.length },
          { value: "request", title: "Request" },
          { value: "response", title: "Response" },
        ]}
        onChange={setTab}
      >
        {tab === "summary" ? <Summary call={call} /> : null}
        {tab === "patch" ? <Patch call={call} /> : null}
        {tab === "request" ? <Body value={call.request} label="Request" /> : null}
        {tab === "response" ? <Body value={call.response} label="Response" /> : null}
      </Tabs>
    </Panel>
  );
}

function Summary({ call }: { readonly call: WebhookCall }): JSX.Element {
  const { warnings = [] } = call;
  return (
    <>
      <Facts
        items={[
          ["Path", <code key="path">{call.path}</code>],
          ["Time", formatTime(call.at)],
          ["Duration", formatDuration(call.durationMs)],
          ["User", call.user],
          ["Dry run", call.isDryRun ? "yes" : "no"],
          ["Result", call.isAllowed ? (call.purpose === "convert" ? "converted" : "allowed") : "denied"],
        ]}
      />
      {call.message === undefined || call.message === "" ? null : (
        <section>
          <h3>Message</h3>
          <p class={call.isAllowed ? "" : "problem"}>{call.message}</p>
        </section>
      )}
      {warnings.length === 0 ? null : (
        <section>
          <h3>Warnings</h3>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </section>
      )}
      {patchOperations(call.patch).length === 0 ? null : (
        <section>
          <h3>Patch</h3>
          <Patch call={call} />
        </section>
      )}
    </>
  );
}

function Patch({ call }: { readonly call: WebhookCall }): JSX.Element {
  const operations = patchOperations(call.patch);
  if (operations.length === 0) return <Nothing>The webhook changed nothing.</Nothing>;
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">Operation</th>
          <th scope="col">Path</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {operations.map(({ op, path, value }, index) => (
          <tr key={index}>
            <td>{op}</td>
            <td>
              <code>{path}</code>
            </td>
            <td class="wrap">
              <code>{value === undefined ? "" : JSON.stringify(value)}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Body({ value, label }: { readonly value: unknown; readonly label: string }): JSX.Element {
  if (value === undefined) return <Nothing>It is larger than 64 KiB, and is not recorded.</Nothing>;
  return <ValueText value={value} label={label} />;
}
