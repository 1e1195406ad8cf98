import type { PolicyLayer } from './decision.ts'

/** An allow-list of one layer: what it has, by key, and as it is shown. */
export type AllowList = {
  readonly layer: PolicyLayer
  readonly keys: ReadonlySet<string>
  readonly list: readonly string[]
}
