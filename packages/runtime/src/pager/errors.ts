import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when the page buffer of a pager is not an integer of at least 0.
 *
 * Fix: Pass the number of pages to request ahead, or leave it out.
 */
export class InvalidPageBufferError extends ScaffoldError {
  readonly code = "CLIENT_PAGE_BUFFER";

  constructor(pageBufferSize: number) {
    super(`cannot buffer ${String(pageBufferSize)} pages: pageBufferSize must be an integer of at least 0`);
  }
}
