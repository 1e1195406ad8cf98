/**
 * What a payload moves of each asset in the worst case: the native one, and tokens by `placeKey`, each with its name for people, in the
 * order in which they come.
 */
export type Sums = {
  readonly native: bigint
  readonly tokens: ReadonlyMap<string, { readonly name: string; readonly amount: bigint }>
}
