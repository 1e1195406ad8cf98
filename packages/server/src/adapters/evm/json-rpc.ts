import { shortened } from './masked-text.ts'

/** What a JSON-RPC 2.0 server answers: a result, or an error (section 5.1) whose message is one safe line. */
export type JsonRpcAnswer = { result: unknown } | { error: JsonRpcRefusal }

/** An error object; `message` never contains the URL, `data` is unchanged. */
export type JsonRpcRefusal = { code: number; message: string; data: unknown }

/** How one call is made. `isFresh`: over a new connection, so that a failure shows whether anything was sent. */
export type JsonRpcCallOptions = { timeoutMs: number; isFresh?: boolean }

/** Calls one JSON-RPC server. Rejects with `JsonRpcFailure` when no usable answer came. */
export type JsonRpc = {
  /** Names the server in logs: chain and position, never its URL. */
  name: string
  call(method: string, params: readonly unknown[], options: JsonRpcCallOptions): Promise<JsonRpcAnswer>
}

/** Why a call has no usable answer. `behind`: the node does not have the block yet, and is otherwise well. */
export type JsonRpcFailureCode =
  | 'unreachable'
  | 'connection_lost'
  | 'timed_out'
  | 'redirected'
  | 'refused_status'
  | 'too_large'
  | 'malformed'
  | 'wrong_chain'
  | 'behind'

/** A call without a usable answer. `wasSent` is false only if surely no byte of the request left this machine. */
export class JsonRpcFailure extends Error {
  override readonly name = 'JsonRpcFailure'
  readonly code: JsonRpcFailureCode
  readonly wasSent: boolean
  readonly detail: string

  /** `detail` is for the log and safe there. */
  constructor(code: JsonRpcFailureCode, wasSent: boolean, detail = '') {
    super(detail === '' ? code : `${code} (${detail})`)
    this.code = code
    this.wasSent = wasSent
    this.detail = detail
  }
}

/** A refusal in one line for people. */
export const refusalText = ({ code, message }: JsonRpcRefusal): string =>
  message === '' ? `error ${code}` : shortened(message)

/** One line for people about a call without a usable answer. */
export const failureReason = ({ code }: JsonRpcFailure): string =>
  `no usable answer (${code.replaceAll('_', ' ')})`
