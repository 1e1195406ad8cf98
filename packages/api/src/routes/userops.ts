import * as z from 'zod'
import { Hex32 } from '../formats.ts'
import { signBodyBytesMax } from '../limits.ts'
import type { Route } from '../route.ts'
import { BuildUserOp, BuiltUserOp, SubmitUserOp, UserOpStatus } from '../userop.ts'

/** Builds an operation of the caller's smart account. */
export const buildUserOp = {
  id: 'userops.build',
  method: 'POST',
  path: '/v1/userop/build',
  lane: 'wallet',
  summary: 'Build an operation of a smart account',
  description:
    "Estimates the operation, requests sponsorship and reserves its worst cost against the wallet's month (UTC). You can submit it for 10 minutes; after that, the reservation is released. `gas_cap_exceeded` has the cap and what is left in `details`.",
  body: BuildUserOp,
  bodyBytesMax: signBodyBytesMax,
  status: 200,
  data: BuiltUserOp,
  errors: [
    'chain_unsupported',
    'bad_to',
    'gas_cap_exceeded',
    'wallet_not_found',
    'wallet_archived',
    'smart_account_not_provisioned',
    'estimate_gas_reverted',
    'bundler_rejected',
    'bundler_failed',
    'rpc_failed',
  ],
  // A node, a paymaster twice and a bundler, one after the other, each with a time limit of its own.
  answerLimitMs: 20_000,
  limit: 'user-transaction',
} as const satisfies Route

/** Submits a built operation. */
export const submitUserOp = {
  id: 'userops.submit',
  method: 'POST',
  path: '/v1/userop/submit',
  lane: 'wallet',
  summary: 'Submit a built operation with the signature of its owner',
  description:
    'Waits up to 30 seconds for the operation to be included; `submitted` means it is still pending. Submitting again never sends twice and returns the same status. After 502 `bundler_failed`, nothing was sent and you can repeat the call.',
  body: SubmitUserOp,
  status: 200,
  data: UserOpStatus,
  errors: [
    'invalid_signature',
    'not_found',
    'wallet_archived',
    'expired',
    'bundler_rejected',
    'bundler_failed',
    'rpc_failed',
  ],
  answerLimitMs: 50_000,
  limit: 'user-transaction',
} as const satisfies Route

/** Where a submitted operation stands. */
export const getUserOp = {
  id: 'userops.get',
  method: 'GET',
  path: '/v1/userop/{hash}',
  lane: 'wallet',
  summary: 'Read the status of a submitted operation',
  params: z.strictObject({ hash: Hex32 }),
  status: 200,
  data: UserOpStatus,
  errors: [],
} as const satisfies Route
