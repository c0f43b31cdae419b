/** Answers one HTTP request, in the web's own types, so that it can be served by any server and tested without one. */
export type HttpHandler = (request: Request) => Promise<Response>;
