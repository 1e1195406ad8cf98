/** The kinds of servers of a chain. */
export type ChainTarget = 'rpc' | 'bundler' | 'paymaster'

/** How a call ended: `refused` is an answer too, `failed` means that no usable one came in time. */
export type ChainCallOutcome = 'ok' | 'refused' | 'failed'

/** Counts calls and operations on the chains. Labels are handles, methods and outcomes: never input of a caller. */
export type ChainMetrics = {
  /** One call over all its nodes, timed in seconds. */
  answered(
    chain: string,
    target: ChainTarget,
    method: string,
    outcome: ChainCallOutcome,
    seconds: number,
  ): void
  /** One user operation reached an end or a station on its way. */
  operation(chain: string, outcome: string): void
}
