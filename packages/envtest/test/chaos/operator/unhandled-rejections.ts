/** Collects the rejections of this process that nothing handles, until it is stopped. */
export class UnhandledRejections {
  readonly messages: string[] = [];
  readonly #listener = (reason: unknown): void => {
    this.messages.push(
      `unhandled rejection: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`,
    );
  };

  constructor() {
    process.on("unhandledRejection", this.#listener);
  }

  stop(): void {
    process.off("unhandledRejection", this.#listener);
  }
}
