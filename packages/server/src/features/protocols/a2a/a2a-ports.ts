import type { Principal } from '../../../http/principal.ts'
import type { MessageObjective } from './message-objective.ts'
import type { CardAgent } from './tasks.store.ts'

/** Who talks to an agent: a session, or another agent. */
export type A2aCaller = Principal['agent_or_delegate']

/** What tasks need of runs. */
export type TaskRuns = {
  /** What a caller's tasks are kept apart by. */
  callerName(caller: A2aCaller): string
  /**
   * Starts a run of the agent under the caller's session or delegation; the same caller and key, or message, again answers the first
   * one. Undefined: the agent is there no more. Throws `ApiError` where a delegation goes too deep or too wide.
   */
  start(
    caller: A2aCaller,
    agent: CardAgent,
    task: {
      objective: MessageObjective
      /** The caller's own id, or what its message is known by. */
      name: { key: string } | { messageHash: Uint8Array }
      metadata: Readonly<Record<string, unknown>>
    },
  ): Promise<{ id: string; isNew: boolean } | undefined>
  /**
   * Gives a run that asked its answer; the same message again changes nothing. `ignored`: the run does not wait for one. Without a
   * message any is an answer.
   */
  answer(
    runId: string,
    text: string,
    message?: { agentId: string; caller: string; hash: Uint8Array },
  ): Promise<'answered' | 'repeated' | 'ignored'>
  /** Ends a run and its children; nothing happens to one that has ended. */
  cancel(runId: string): Promise<void>
  /** Yields at once and after each change of the run, wherever it is worked on; ends with `signal`. */
  follow(runId: string, signal: AbortSignal): AsyncIterable<unknown>
}

/** One request of a caller to an agent, past the lane. */
export type A2aRequest = { agent: CardAgent; caller: A2aCaller; signal: AbortSignal }
