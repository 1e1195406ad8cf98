import { invalidPayload } from '../network-error.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { readAccount, readAccountId } from './accounts.ts'
import { assetDisplay, readAsset, readAssetCode } from './assets.ts'
import { readBalanceId } from './keys.ts'
import { describe, type OperationScope } from './operation-scope.ts'
import type { XdrReader } from './xdr-reader.ts'

const warning = 'This changes what another account may do with the asset of this issuer.'

/** ALLOW_TRUST (superseded by SET_TRUST_LINE_FLAGS) */
export function allowTrust(reader: XdrReader, scope: OperationScope): DescribedAction {
  const to = readAccountId(reader)
  const kind = reader.u32()
  if (kind !== 1 && kind !== 2) throw invalidPayload('The code of an asset is of an unknown kind.')
  const id = `${readAssetCode(reader, kind)}:${scope.source}`
  const args = { authorize: reader.u32().toString() }
  const title = 'Change an authorization'
  return describe('admin', 'allow_trust', scope, { title, to, asset: { id, label: id }, args, warning })
}

/** SET_TRUST_LINE_FLAGS */
export function setTrustLineFlags(reader: XdrReader, scope: OperationScope): DescribedAction {
  const to = readAccountId(reader)
  const asset = readAsset(reader, scope.chain)
  const args = { clear_flags: reader.u32().toString(), set_flags: reader.u32().toString() }
  const title = 'Change an authorization'
  return describe('admin', 'set_trust_line_flags', scope, { title, to, asset, args, warning })
}

/** CLAWBACK: the issuer takes its asset out of another account. */
export function clawback(reader: XdrReader, scope: OperationScope): DescribedAction {
  const asset = readAsset(reader, scope.chain)
  const { address, muxed } = readAccount(reader)
  const amount = reader.amount()
  return describe('admin', 'clawback', scope, {
    title: `Claw back ${assetDisplay(amount, asset)}`,
    from: address,
    to: scope.source,
    asset,
    amount,
    args: { holder: address, muxed_holder: muxed },
    warning: `This takes the asset from ${address} and destroys it.`,
  })
}

/** CLAWBACK_CLAIMABLE_BALANCE */
export function clawbackClaimableBalance(reader: XdrReader, scope: OperationScope): DescribedAction {
  const balance = readBalanceId(reader)
  return describe('admin', 'clawback_claimable_balance', scope, {
    title: 'Claw back a claimable balance',
    to: scope.source,
    args: { balance },
    warning: 'This destroys a balance that is set aside for others.',
  })
}
