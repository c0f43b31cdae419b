// Numbered steps with their times, on a terminal or in a log.

/** Thrown when something that the story needs did not happen. */
export class StoryError extends Error {}

/** Tells a story step by step; a step that throws ends it. */
export class Story {
  #startedAt = performance.now();
  #count = 0;

  /** Runs a step, says what it does, and how long it took. */
  async step(title, work) {
    this.#count += 1;
    const startedAt = performance.now();
    console.log(`\n${bold(`[${String(this.#count)}] ${title}`)}`);
    const result = await work();
    console.log(dim(`    done in ${seconds(performance.now() - startedAt)}`));
    return result;
  }

  /** Says how long all of it took. */
  end() {
    console.log(
      `\n${bold(`All ${String(this.#count)} steps done in ${seconds(performance.now() - this.#startedAt)}.`)}`,
    );
  }
}

/** Prints lines below a step. */
export function tell(...lines) {
  for (const line of lines.join("\n").split("\n")) console.log(`    ${line}`);
}

/** Ends the story unless a claim holds. */
export function expect(claim, message) {
  if (!claim) throw new StoryError(message);
}

/** Repeats a look until it returns something, and returns that; ends the story after a minute. */
export async function until(what, look) {
  const deadline = performance.now() + 60_000;
  let lastError;
  while (performance.now() < deadline) {
    try {
      const found = await look();
      if (found !== undefined && found !== false) return found;
    } catch (error) {
      if (error instanceof StoryError) throw error;
      lastError = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new StoryError(`waited a minute for ${what}${lastError === undefined ? "" : `: ${lastError.message}`}`);
}

function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

function bold(text) {
  return process.stdout.isTTY ? `\u001b[1m${text}\u001b[0m` : text;
}

function dim(text) {
  return process.stdout.isTTY ? `\u001b[2m${text}\u001b[0m` : text;
}
