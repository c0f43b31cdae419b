// The modules of undici that pool-sender.ts and dial.ts load, which have no declarations of their own.
declare module "undici/lib/api/api-connect.js" {
  import type { Dispatcher } from "undici";

  export default function connect(
    this: Dispatcher,
    options: Omit<Dispatcher.ConnectOptions, "origin">,
  ): Promise<Dispatcher.ConnectData>;
}

declare module "undici/lib/api/api-request.js" {
  import type { Dispatcher } from "undici";

  export default function request(
    this: Dispatcher,
    options: Dispatcher.RequestOptions,
  ): Promise<Dispatcher.ResponseData>;
}

declare module "undici/lib/core/connect.js" {
  import { buildConnector } from "undici";

  export default buildConnector;
}

declare module "undici/lib/dispatcher/client.js" {
  import { Client } from "undici";

  export default Client;
}

declare module "undici/lib/dispatcher/pool.js" {
  import { Pool } from "undici";

  export default Pool;
}
