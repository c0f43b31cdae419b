/** A page of a dashboard that was opened at its one-time address. */
export interface OpenedPage {
  readonly origin: string;
  /** The address of the page, without the last slash. */
  readonly base: string;
  readonly cookie: string;
}

/** Exchanges the address in the output of a command for a session. */
export async function openPageOf(output: string): Promise<OpenedPage> {
  const address = /^dashboard {4}(?<url>http:\S+)$/mu.exec(output)?.groups?.["url"] ?? "";
  const exchanged = await fetch(address);
  const cookie = exchanged.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const { origin, pathname } = new URL(address);
  return { origin, base: `${origin}${pathname.slice(0, -1)}`, cookie };
}

/** Reads the stream of a page until it contains all patterns; returns what it has read. Fails: if the stream ends before. */
export async function streamUntil({ base, cookie }: OpenedPage, wanted: readonly RegExp[]): Promise<string> {
  const stream = await fetch(`${base}/events`, { headers: { cookie } });
  const text: string[] = [];
  const reader = stream.body?.getReader();
  while (!wanted.every((each) => each.test(text.join("")))) {
    const chunk = await reader?.read();
    if (chunk === undefined || chunk.done) throw new Error(`the stream ended:\n${text.join("")}`);
    text.push(Buffer.from(chunk.value).toString());
  }
  await reader?.cancel();
  return text.join("");
}
