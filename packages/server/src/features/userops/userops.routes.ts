import { buildUserOp, getUserOp, submitUserOp } from '@symbolon/api'
import type { Hex } from '@symbolon/networks/evm'
import { on } from '../../http/handler.ts'
import type { UserOps } from './userops.ts'

/** The routes of operations. */
export const useropsRoutes = (userops: UserOps) => [
  on(buildUserOp, ({ principal, body, fail }) => userops.build(principal, body, fail)),

  on(submitUserOp, ({ principal, body, fail }) => {
    const { user_op_hash, signature } = body
    return userops.submit(principal, { hash: lower(user_op_hash), signature: lower(signature) }, fail)
  }),

  on(getUserOp, ({ principal, params, fail }) => userops.read(principal, lower(params.hash), fail)),
]

/** The one spelling of hex inside. */
const lower = (hex: string): Hex => hex.toLowerCase() as Hex
