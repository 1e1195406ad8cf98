import { buildUserOp, getUserOp, submitUserOp } from '@symbolon/api'
import type { Hex } from '@symbolon/networks/evm'
import type { Sql } from '../../db/pool.ts'
import { on } from '../../http/handler.ts'
import { type BuildCtx, buildOperation } from './build-userop.ts'
import { type SubmitCtx, submitOperation } from './submit-userop.ts'
import { readOperation } from './userops.ts'

/** The routes of operations. */
export const useropsRoutes = ({
  sql,
  building,
  submitting,
}: {
  sql: Sql
  building: BuildCtx
  submitting: SubmitCtx
}) => [
  on(buildUserOp, ({ principal, body }) => buildOperation(building, principal, body)),
  on(submitUserOp, ({ principal, body: { user_op_hash, signature } }) =>
    submitOperation(submitting, principal, { hash: lower(user_op_hash), signature: lower(signature) }),
  ),
  on(getUserOp, ({ principal, params }) => readOperation(sql, principal, lower(params.hash))),
]

/** The one spelling of hex inside. */
const lower = (hex: string): Hex => hex.toLowerCase() as Hex
