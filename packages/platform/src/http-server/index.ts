/** Bodies of requests to servers of Node. */
export { readBody } from "./read-body.ts";
export { dropUnreadBody } from "./unread-body.ts";
