/** Who makes a request. */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The user of requests without credentials. */
export const ANONYMOUS: UserInfo = { name: "system:anonymous", groups: ["system:unauthenticated"] };

/** The user of requests to a server that has no authenticator: may do everything. */
export const ADMIN: UserInfo = { name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] };
