import type { JSX } from "preact";

import type { ClusterEvent, LogLine } from "../feed/protocol.ts";
import { CopyButton } from "../parts/controls.tsx";
import { formatTime } from "../parts/format.ts";
import { Facts, Panel } from "../parts/panel.tsx";
import { ValueText } from "../parts/value-text.tsx";
import { linkTo } from "../route/route.ts";
import { useSelect } from "../state/hooks.ts";
import { objectKey } from "../state/object-entry.ts";
import { objectOfEvent, type Entry } from "./filter-lines.ts";
import { LevelTag } from "./log-lines.tsx";

/** A line of the log or an Event, with links to its object and its reconcile. */
export function LinePanel({ entry, onClose }: { readonly entry: Entry; readonly onClose: () => void }): JSX.Element {
  return entry.kind === "log" ? (
    <LogPanel line={entry.line} onClose={onClose} />
  ) : (
    <EventPanel event={entry.event} onClose={onClose} />
  );
}

function LogPanel({ line, onClose }: { readonly line: LogLine; readonly onClose: () => void }): JSX.Element {
  const { message, at, level, logger, controller, object, reconcileId, error, hint, stack, pod, fields = {} } = line;
  return (
    <Panel
      label="Log line"
      title={message}
      subtitle={formatTime(at)}
      actions={<CopyButton text={textOf(line)} />}
      onClose={onClose}
    >
      <Facts
        items={[
          ["Level", <LevelTag key="level" level={level} />],
          ["Logger", logger],
          pod === undefined ? undefined : ["Pod", pod],
          controller === undefined ? undefined : ["Controller", controller],
          object === undefined ? undefined : ["Object", object],
          reconcileId === undefined
            ? undefined
            : [
                "Reconcile",
                <a
                  key="reconcile"
                  href={
                    pod === undefined
                      ? linkTo("controllers", { sel: reconcileId })
                      : linkTo("logs", { reconcile: reconcileId })
                  }
                >
                  {reconcileId}
                </a>,
              ],
        ]}
      />
      {error === undefined ? null : (
        <section>
          <h3>Error</h3>
          <pre class="code error" tabIndex={0} role="region" aria-label="Error">
            {error}
          </pre>
        </section>
      )}
      {hint === undefined ? null : (
        <section>
          <h3>Hint</h3>
          <p class="hint">{hint}</p>
        </section>
      )}
      {Object.keys(fields).length === 0 ? null : (
        <section>
          <h3>Fields</h3>
          <ValueText value={fields} label="Fields" />
        </section>
      )}
      {stack === undefined ? null : (
        <section>
          <h3>Stack</h3>
          <pre class="code" tabIndex={0} role="region" aria-label="Stack">
            {stack}
          </pre>
        </section>
      )}
      {object === undefined ? null : (
        <p class="links">
          <a href={linkTo("logs", { object })}>Everything about this object</a>
        </p>
      )}
    </Panel>
  );
}

function EventPanel({ event, onClose }: { readonly event: ClusterEvent; readonly onClose: () => void }): JSX.Element {
  const objects = useSelect((state) => state.objects);
  const entry = objects.get(event.objectUid);
  return (
    <Panel label="Event" title={event.reason} subtitle={formatTime(event.at)} onClose={onClose}>
      <p>{event.message}</p>
      <Facts
        items={[
          ["Type", event.severity],
          ["Source", event.source],
          ["Count", String(event.count)],
          [
            "Object",
            entry === undefined ? (
              `${event.kind} ${objectOfEvent(event)}`
            ) : (
              <a key="object" href={linkTo("objects", { sel: objectKey(entry.summary) })}>
                {event.kind} {objectOfEvent(event)}
              </a>
            ),
          ],
        ]}
      />
      <p class="links">
        <a href={linkTo("logs", { object: objectOfEvent(event) })}>Everything about this object</a>
      </p>
    </Panel>
  );
}

function textOf({ at, level, message, error, stack }: LogLine): string {
  return [`${new Date(at).toISOString()} ${level} ${message}`, error, stack].filter(Boolean).join("\n");
}
