import type { JSX } from "preact";

import type { FieldOwner } from "../feed/protocol.ts";
import { Age, Nothing } from "../parts/text.tsx";

/** Who owns which fields. Fields with several owners are marked: server-side apply conflicts there. */
export function FieldOwners({ owners }: { readonly owners: readonly FieldOwner[] }): JSX.Element {
  if (owners.length === 0) return <Nothing>The object has no managed fields.</Nothing>;
  const counts = new Map<string, number>();
  for (const { paths } of owners) for (const path of paths) counts.set(path, (counts.get(path) ?? 0) + 1);
  return (
    <>
      {owners.map((owner) => (
        <section key={`${owner.manager} ${owner.operation} ${owner.subresource}`}>
          <h3>
            {owner.manager} <span class="muted">{describe(owner)}</span>
            {owner.at === undefined ? null : (
              <span class="muted">
                {" "}
                <Age at={owner.at} />
              </span>
            )}
          </h3>
          <ul class="paths">
            {owner.paths.map((path) => (
              <li key={path}>
                <code>{path}</code>
                {(counts.get(path) ?? 0) > 1 ? <span class="tag">shared</span> : null}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function describe({ operation, subresource }: FieldOwner): string {
  return subresource === "" ? operation : `${operation} ${subresource}`;
}
