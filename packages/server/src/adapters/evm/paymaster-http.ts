import { entryPoint, type Hex, userOperationJson } from '@symbolon/networks/evm'
import * as z from 'zod'
import type { UserOperationDraft } from '../../ports/bundler.ts'
import { type Paymaster, PaymasterError, type Sponsorship } from '../../ports/paymaster.ts'
import { readResult } from './evm-rpc-answers.ts'
import { failureReason, type JsonRpc, JsonRpcFailure, refusalText } from './json-rpc.ts'
import { isPassing } from './json-rpc-failover.ts'
import type { MeasureCall } from './measure-call.ts'
import { Address, Data, LooseQuantity, quantityHex } from './rpc-values.ts'

const timeoutMs = 3_000
const internalError = -32603
const gasMax = 10_000_000_000n

const Gas = LooseQuantity.refine((gas) => gas <= gasMax).nullish()
const Fields = z.object({
  paymaster: Address,
  paymasterData: Data,
  paymasterVerificationGasLimit: Gas,
  paymasterPostOpGasLimit: Gas,
  isFinal: z.boolean().default(false),
})

/** An ERC-7677 paymaster service for our entry point. `context` goes to the service with each request (a policy's id). */
export function paymasterHttp(options: {
  rpc: JsonRpc
  measure: MeasureCall
  chainId: number
  context: Readonly<Record<string, unknown>>
}): Paymaster {
  const { rpc, measure, context } = options
  const chainId = quantityHex(BigInt(options.chainId))

  const ask = (method: string, op: UserOperationDraft) =>
    measure(method, async () => {
      try {
        const params = [userOperationJson(op), entryPoint, chainId, context]
        const answer = await rpc.call(method, params, { timeoutMs })
        if ('result' in answer) return readResult(Fields, answer.result)
        const { error } = answer
        if (error.code === internalError || isPassing(error)) {
          throw new JsonRpcFailure('refused_status', true, refusalText(error))
        }
        throw new PaymasterError('rejected', refusalText(error))
      } catch (error) {
        throw portError(error)
      }
    })

  return {
    async stub(op) {
      const fields = await ask('pm_getPaymasterStubData', op)
      return { ...sponsorship(fields), isFinal: fields.isFinal }
    },
    async sponsor(op) {
      const fields = await ask('pm_getPaymasterData', op)
      return { ...sponsorship(fields), validUntil: validUntilOf(fields.paymasterData) }
    },
    async ping() {
      try {
        const answer = await rpc.call('pm_supportedEntryPoints', [], { timeoutMs })
        if ('error' in answer && isPassing(answer.error)) {
          throw new JsonRpcFailure('refused_status', true)
        }
      } catch (error) {
        throw portError(error)
      }
    },
  }
}

function sponsorship(fields: z.output<typeof Fields>): Sponsorship {
  const { paymaster, paymasterData, paymasterVerificationGasLimit, paymasterPostOpGasLimit } = fields
  return {
    paymaster,
    paymasterData,
    ...(typeof paymasterVerificationGasLimit === 'bigint' && { paymasterVerificationGasLimit }),
    ...(typeof paymasterPostOpGasLimit === 'bigint' && { paymasterPostOpGasLimit }),
  }
}

const [wordDigits, signatureLengths] = [64, [64, 65]]
const timeMax = 2n ** 48n

/** The end of validity in data of VerifyingPaymaster's layout: two words, until and after (uint48), then a signature. */
export function validUntilOf(data: Hex): bigint | undefined {
  const signatureLength = (data.length - 2 - 2 * wordDigits) / 2
  if (!signatureLengths.includes(signatureLength)) return undefined
  const [until, after] = [2, 2 + wordDigits].map((at) => BigInt(`0x${data.slice(at, at + wordDigits)}`))
  if (until === undefined || after === undefined || until >= timeMax || after >= timeMax) return undefined
  // ERC-4337: zero means without an end.
  return until === 0n ? undefined : until
}

function portError(error: unknown): unknown {
  if (!(error instanceof JsonRpcFailure)) return error
  return new PaymasterError('transport', failureReason(error), error)
}
