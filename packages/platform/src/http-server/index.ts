/** Bodies of requests to servers of Node. */
export { readBody } from "./read-body.ts";
export { dropUnreadBody, endLingering } from "./unread-body.ts";
