import { excerptText } from '../preview/excerpt.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { readAccountId } from './accounts.ts'
import { assetDisplay, readChangeTrustAsset } from './assets.ts'
import { readBalanceId, readLedgerKey, readSignerKey } from './keys.ts'
import { describe, type OperationScope } from './operation-scope.ts'
import type { XdrReader } from './xdr-reader.ts'

const int64Max = 2n ** 63n - 1n

/** SET_OPTIONS: signers, weights and thresholds decide who controls the account. */
export function setOptions(reader: XdrReader, scope: OperationScope): DescribedAction {
  const number = () => reader.option(reader.u32)?.toString()
  const inflation_destination = reader.option(readAccountId)
  const [clear_flags, set_flags] = [number(), number()]
  const master_weight = number()
  const [low_threshold, medium_threshold, high_threshold] = [number(), number(), number()]
  const home_domain = reader.option((field) => excerptText(field.opaque(32)))
  const signer = reader.option((field) => ({
    key: readSignerKey(field).text,
    weight: field.u32().toString(),
  }))
  const weights = { master_weight, low_threshold, medium_threshold, high_threshold }
  const isTakeover = signer !== undefined || Object.values(weights).some((value) => value !== undefined)
  return describe('admin', 'set_options', scope, {
    title: isTakeover ? 'Change who controls the account' : 'Change options of the account',
    to: scope.source,
    args: {
      signer: signer?.key,
      signer_weight: signer?.weight,
      ...weights,
      clear_flags,
      set_flags,
      home_domain,
      inflation_destination,
    },
    warning: isTakeover
      ? `Account takeover: this changes which keys control ${scope.source}.`
      : 'This changes options of the account.',
  })
}

/** CHANGE_TRUST: from here on the account takes the asset, up to its limit; 0 ends it. */
export function changeTrust(reader: XdrReader, scope: OperationScope): DescribedAction {
  const asset = readChangeTrustAsset(reader, scope.chain)
  const limit = reader.amount()
  const { pool } = asset
  const issuer = asset.id.split(':')[1] ?? null
  const args = { limit: limit === int64Max ? 'unlimited' : assetDisplay(limit, asset), pool }
  const common = { to: issuer, asset, amount: limit === int64Max ? null : limit, args }
  if (limit === 0n)
    return describe('approval', 'change_trust', scope, { ...common, title: `Stop trusting ${asset.label}` })
  return describe('approval', 'change_trust', scope, {
    ...common,
    title: `Trust ${asset.label}`,
    warning:
      pool === undefined
        ? `The account will take ${asset.id}: its issuer decides what it is worth.`
        : `The account will take shares of the pool ${pool}.`,
  })
}

/** INFLATION: without effect since protocol 12. */
export function inflation(_: XdrReader, scope: OperationScope): DescribedAction {
  return describe('call', 'inflation', scope, { title: 'Run inflation' })
}

/** MANAGE_DATA */
export function manageData(reader: XdrReader, scope: OperationScope): DescribedAction {
  const name = excerptText(reader.opaque(64))
  const value = reader.option((field) => excerptText(field.opaque(64)))
  const title = value === undefined ? `Delete the entry ${name}` : `Set the entry ${name}`
  return describe('call', 'manage_data', scope, { title, to: scope.source, args: { name, value } })
}

/** BUMP_SEQUENCE: what was signed below the number is void; at the highest number the account can do nothing more. */
export function bumpSequence(reader: XdrReader, scope: OperationScope): DescribedAction {
  const bump_to = reader.amount().toString()
  return describe('admin', 'bump_sequence', scope, {
    title: 'Skip sequence numbers',
    to: scope.source,
    args: { bump_to },
    warning:
      'Transactions signed for lower sequence numbers become void; too high a number blocks the account.',
  })
}

/** CLAIM_CLAIMABLE_BALANCE */
export function claimClaimableBalance(reader: XdrReader, scope: OperationScope): DescribedAction {
  const balance = readBalanceId(reader)
  return describe('call', 'claim_claimable_balance', scope, {
    title: 'Claim a balance',
    to: scope.source,
    args: { balance },
  })
}

/** BEGIN_SPONSORING_FUTURE_RESERVES */
export function beginSponsoring(reader: XdrReader, scope: OperationScope): DescribedAction {
  const to = readAccountId(reader)
  return describe('admin', 'begin_sponsoring_future_reserves', scope, {
    title: 'Pay the reserves of another account',
    to,
    warning: `Reserves of ${scope.source} are bound for what ${to} adds.`,
  })
}

/** END_SPONSORING_FUTURE_RESERVES */
export function endSponsoring(_: XdrReader, scope: OperationScope): DescribedAction {
  return describe('call', 'end_sponsoring_future_reserves', scope, {
    title: 'End a sponsorship',
    to: scope.source,
  })
}

/** REVOKE_SPONSORSHIP: who owns the entry pays its reserve again. */
export function revokeSponsorship(reader: XdrReader, scope: OperationScope): DescribedAction {
  const entry =
    reader.tag(2) === 0
      ? readLedgerKey(reader, scope.chain).text
      : `signer ${readAccountId(reader)} ${readSignerKey(reader).text}`
  const title = 'Stop paying a reserve'
  return describe('call', 'revoke_sponsorship', scope, { title, to: scope.source, args: { entry } })
}
