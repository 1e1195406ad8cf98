/** A Node: where it is and what it says of itself, such as `v24.21.0` or `24.21.0`. */
export type InstalledNode = { path: string; version: string }

/** Picks the Node to run on, or answers in one sentence why there is none. */
export function chooseNode(options: {
  /** `process.platform` and `process.arch`, such as `linux-x64`. */
  system: string
  own: InstalledNode
  npm: InstalledNode | undefined
  packageNode: (name: string) => InstalledNode | undefined
}): { node: string; problem?: never } | { problem: string; node?: never }
