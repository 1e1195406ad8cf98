import { signBodyBytesMax } from '../limits.ts'
import type { Route } from '../route.ts'
import { SignRequest, SignRequestFor } from '../sign-request.ts'
import { SignResponse } from '../sign-response.ts'

const errors = [
  'invalid_payload',
  'invalid_curve',
  'chain_unsupported',
  'signing_mode_mismatch',
  'wallet_not_found',
  'wallet_archived',
  'state_rolled_back',
] as const

/** Signs with the caller's own wallet. */
export const signMine = {
  id: 'signing.signMine',
  method: 'POST',
  path: '/v1/wallets/me/sign',
  lane: 'wallet',
  limit: 'user-sign',
  summary: "Sign with the user's wallet",
  description: 'TEE mode only. The signature is verified before it leaves.',
  body: SignRequest,
  bodyBytesMax: signBodyBytesMax,
  status: 200,
  data: SignResponse,
  errors,
} as const satisfies Route

/** Signs with any wallet of the organization. */
export const sign = {
  id: 'signing.sign',
  method: 'POST',
  path: '/v1/s2s/sign',
  lane: 'secret_or_agent',
  scope: 'full',
  limit: 's2s',
  summary: 'Sign with a wallet of the organization',
  description:
    'TEE mode only. The signature is verified before it leaves. With an agent token, this is `/v1/agents/me/sign`, and `wallet_id` must be the token’s wallet.',
  isSigningRequest: true,
  body: SignRequestFor,
  bodyBytesMax: signBodyBytesMax,
  status: 200,
  data: SignResponse,
  errors: [...errors, 'policy_violation'],
} as const satisfies Route
