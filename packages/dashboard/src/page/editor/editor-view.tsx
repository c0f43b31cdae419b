import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

import type { KindInfo } from "../feed/protocol.ts";
import { getKinds, getObject } from "../feed/requests.ts";
import { Nothing } from "../parts/text.tsx";
import { useRoute } from "../route/use-route.ts";
import { useRequest, useSelect } from "../state/hooks.ts";
import { Editor } from "./editor.tsx";
import { firstText } from "./first-text.ts";
import { editableText } from "./yaml-document.ts";

/** Creates and edits objects. */
export function EditorView(): JSX.Element {
  // The project may have other kinds when its manager starts again.
  const process = useSelect((state) => state.manager?.pid);
  const kinds = useRequest("kinds", String(process), getKinds);
  if (kinds.kind === "loading") return <Nothing>Loading…</Nothing>;
  if (kinds.kind === "failed") return <Nothing>{`Cannot read the kinds: ${kinds.message}`}</Nothing>;
  return <KindEditor kinds={kinds.value} />;
}

function KindEditor({ kinds }: { readonly kinds: readonly KindInfo[] }): JSX.Element {
  const { route, set } = useRoute();
  const wanted = route.params["kind"] ?? "";
  const selected = kinds.find((kind) => kindKey(kind) === wanted) ?? kinds[0];
  const [reset, setReset] = useState(0);
  if (selected === undefined) return <Nothing>There is no kind that can be created.</Nothing>;
  const key = route.params["sel"] ?? "";
  const sample = Number(route.params["sample"] ?? "0");
  const choices = (
    <>
      <label class="inline">
        Kind{" "}
        <select
          class="choice"
          value={kindKey(selected)}
          onChange={(event) => set({ kind: event.currentTarget.value, sel: "", sample: "" }, true)}
        >
          <optgroup label="Kinds of the project">
            {kinds.filter(({ isOfProject }) => isOfProject).map(kindOption)}
          </optgroup>
          <optgroup label="Other kinds">{kinds.filter(({ isOfProject }) => !isOfProject).map(kindOption)}</optgroup>
        </select>
      </label>
      {selected.samples.length === 0 ? null : (
        <label class="inline">
          Sample{" "}
          <select
            class="choice"
            value={key === "" ? String(sample) : ""}
            onChange={(event) => {
              set({ sample: event.currentTarget.value, sel: "" });
              setReset(reset + 1);
            }}
          >
            {key === "" ? null : <option value="">this object</option>}
            {selected.samples.map(({ file }, index) => (
              <option key={file} value={String(index)}>
                {file}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
  if (key !== "") return <ObjectEditor key={key} kind={selected} objectKey={key} choices={choices} />;
  return (
    <Editor
      key={`${kindKey(selected)} ${String(sample)} ${String(reset)}`}
      kind={selected}
      initialText={selected.samples[sample]?.yaml ?? firstText(selected)}
      isNew
      choices={choices}
    />
  );
}

function ObjectEditor({
  kind,
  objectKey,
  choices,
}: {
  readonly kind: KindInfo;
  readonly objectKey: string;
  readonly choices: JSX.Element;
}): JSX.Element {
  const target = useMemo(() => parseObjectKey(objectKey), [objectKey]);
  const detail = useRequest(objectKey, "", (signal) => getObject(target, signal));
  const [text, setText] = useState<string>();
  useEffect(() => {
    if (detail.kind === "loaded" && detail.value !== undefined) setText(editableText(detail.value.yaml));
  }, [detail]);
  if (detail.kind === "failed") return <Nothing>{`Cannot read the object: ${detail.message}`}</Nothing>;
  if (detail.kind === "loaded" && detail.value === undefined)
    return <Nothing>The object does not exist any more.</Nothing>;
  if (text === undefined) return <Nothing>Loading…</Nothing>;
  return <Editor kind={kind} initialText={text} isNew={false} choices={choices} />;
}

// The API version of a group has a slash, too.
function parseObjectKey(key: string): {
  readonly apiVersion: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
} {
  const parts = key.split("/");
  const [resource = "", namespace = "", name = ""] = parts.slice(-3);
  return { apiVersion: parts.slice(0, -3).join("/"), resource, namespace, name };
}

function kindKey({ apiVersion, kind }: KindInfo): string {
  return `${apiVersion}/${kind}`;
}

function kindOption(kind: KindInfo): JSX.Element {
  return (
    <option key={kindKey(kind)} value={kindKey(kind)}>
      {`${kind.kind} (${kind.apiVersion})`}
    </option>
  );
}
