import type { JSX } from "preact";
import { useState } from "preact/hooks";

import type { ObjectHistory, ObjectVersion } from "../feed/protocol.ts";
import { Segments } from "../parts/controls.tsx";
import { formatTime } from "../parts/format.ts";
import { Facts } from "../parts/panel.tsx";
import { DiffText, Nothing, YamlText } from "../parts/text.tsx";
import { linkTo } from "../route/route.ts";
import { useRoute } from "../route/use-route.ts";
import { useSelect } from "../state/hooks.ts";
import { changedLines, writerOf } from "./version-summary.ts";

/** The versions of an object, newest first, with who wrote each and what it changed. */
export function ObjectHistoryView({ history }: { readonly history: ObjectHistory }): JSX.Element {
  const { route, set } = useRoute();
  const isOfCluster = useSelect((state) => state.hello?.mode ?? "dev") !== "dev";
  const versions = history.versions.toReversed();
  const wanted = route.params["version"] ?? "";
  const selected = versions.find(({ resourceVersion }) => resourceVersion === wanted) ?? versions[0];
  if (selected === undefined) return <Nothing>No version is recorded.</Nothing>;
  return (
    <div class="history">
      <ol class="versions" aria-label="Versions, newest first">
        {versions.map((version) => (
          <li key={version.resourceVersion}>
            <button
              type="button"
              aria-pressed={version === selected}
              onClick={() => set({ version: version === versions[0] ? "" : version.resourceVersion })}
            >
              <span class="version-time">{formatTime(version.at)}</span>
              <span class="version-writer">{writerOf(version)}</span>
              <span class="version-verb">
                {version.verb}
                {version.subresource === "" ? "" : `/${version.subresource}`}
              </span>
              <Changes version={version} />
            </button>
          </li>
        ))}
        {history.isTruncated ? <li class="muted">Older versions were forgotten.</li> : null}
        {isOfCluster ? (
          <li class="muted">A cluster stores no versions: these are from when this page was served.</li>
        ) : null}
      </ol>
      <VersionDetail version={selected} />
    </div>
  );
}

function Changes({ version }: { readonly version: ObjectVersion }): JSX.Element {
  const { added, removed } = changedLines(version.diff);
  return (
    <span class="version-changes">
      {added === 0 ? null : <span class="diff-added">+{added}</span>}
      {removed === 0 ? null : <span class="diff-removed">−{removed}</span>}
    </span>
  );
}

function VersionDetail({ version }: { readonly version: ObjectVersion }): JSX.Element {
  const [shown, setShown] = useState<"diff" | "yaml">("diff");
  const { controller, reconcileId } = version;
  const hasDiff = version.diff.length > 0;
  return (
    <div class="version">
      <Facts
        items={[
          ["Version", <code key="version">{version.resourceVersion}</code>],
          version.manager === "" ? undefined : ["Field manager", version.manager],
          version.user === "" ? undefined : ["User", version.user],
          controller === undefined
            ? undefined
            : [
                "Controller",
                <a key="controller" href={linkTo("controllers", { controller, sel: reconcileId ?? "" })}>
                  {reconcileId === undefined ? controller : `${controller}, reconcile ${reconcileId.slice(0, 8)}`}
                </a>,
              ],
        ]}
      />
      <Segments
        label="Show"
        value={hasDiff ? shown : "yaml"}
        options={[...(hasDiff ? [{ value: "diff", title: "Changes" } as const] : []), { value: "yaml", title: "YAML" }]}
        onChange={setShown}
      />
      {hasDiff && shown === "diff" ? (
        <DiffText lines={version.diff} label={`Changes of version ${version.resourceVersion}`} />
      ) : (
        <YamlText text={version.yaml} label={`YAML of version ${version.resourceVersion}`} />
      )}
    </div>
  );
}
