import { buildUserOp, getUserOp, submitUserOp } from '@symbolon/api'
import type { Hex } from '@symbolon/networks/evm'
import { on } from '../../http/handler.ts'
import type { UserOps } from './userops.ts'

/** The routes of operations. */
export const useropsRoutes = (userops: UserOps) => [
  on(buildUserOp, ({ caller, body, fail }) => userops.build(caller, body, fail)),

  on(submitUserOp, ({ caller, body, fail }) => {
    const { user_op_hash, signature } = body
    return userops.submit(caller, { hash: lower(user_op_hash), signature: lower(signature) }, fail)
  }),

  on(getUserOp, ({ caller, params, fail }) => userops.read(caller, lower(params.hash), fail)),
]

/** The one spelling of hex inside. */
const lower = (hex: string): Hex => hex.toLowerCase() as Hex
