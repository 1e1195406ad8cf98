import {
  bytes,
  embedded,
  i64,
  list,
  type ProtoSchema,
  protoSchema,
  text,
  u32,
} from '../codec/protobuf/proto-type.ts'
import { excerptText } from '../preview/excerpt.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { addressText } from './address.ts'
import { type ContractRow, row } from './contract-row.ts'
import { administered, type ContractScope, called, type TronMethod } from './described.ts'

/** More than java-tron takes (`getTotalSignNum` is 5). */
const keysMax = 16
/** `ACTIVE_PERMISSION` of java-tron: an account has 8 at most. */
const activesMax = 8

const key = protoSchema({ address: bytes, weight: i64 })
const permission = protoSchema({
  type: u32,
  id: u32,
  permission_name: text,
  threshold: i64,
  parent_id: u32,
  operations: bytes,
  keys: list(embedded(key), keysMax),
})

type Permission = typeof permission extends ProtoSchema<infer message> ? message : never

/** Contracts that open accounts or change what one is and who controls it, by their number. */
export const accountContracts: Readonly<Record<number, ContractRow>> = {
  0: row(
    'AccountCreateContract',
    { owner_address: bytes, account_address: bytes, type: u32 },
    ({ account_address }, scope) =>
      called(scope, 'createAccount', 'Create an account', addressText(account_address)),
  ),
  10: row('AccountUpdateContract', { account_name: bytes, owner_address: bytes }, ({ account_name }, scope) =>
    named('updateAccount', 'name', account_name, scope),
  ),
  19: row('SetAccountIdContract', { account_id: bytes, owner_address: bytes }, ({ account_id }, scope) =>
    named('setAccountId', 'id', account_id, scope),
  ),
  46: row(
    'AccountPermissionUpdateContract',
    {
      owner_address: bytes,
      owner: embedded(permission),
      witness: embedded(permission),
      actives: list(embedded(permission), activesMax),
    },
    ({ owner, witness, actives }, scope) => {
      const args: Record<string, string> = {}
      if (owner) args['owner'] = permissionText(owner)
      if (witness) args['witness'] = permissionText(witness)
      for (const [index, active] of actives.entries()) args[`active_${index + 1}`] = permissionText(active)
      const given = [owner, witness, ...actives].flatMap((each) => each?.keys ?? [])
      const addresses = new Set(given.map(({ address }) => addressText(address)))
      addresses.delete(scope.owner)
      const others = [...addresses].join(', ')
      const warning =
        others === ''
          ? 'This changes which keys control the account and what they may do.'
          : `Account takeover: ${others} will control this account or act for it.`
      return administered(
        scope,
        'updatePermissions',
        'Change who controls the account',
        scope.owner,
        args,
        warning,
      )
    },
  ),
}

function named(method: TronMethod, what: string, value: Uint8Array, scope: ContractScope): DescribedAction {
  const warning = `The account takes a ${what} that it keeps.`
  return administered(
    scope,
    method,
    `Set the ${what} of the account`,
    scope.owner,
    { [what]: excerptText(value) },
    warning,
  )
}

function permissionText({ threshold, keys }: Permission): string {
  const weighed = keys.map(({ address, weight }) => `${addressText(address)} (${weight})`)
  return `${threshold} of ${weighed.join(', ')}`
}
