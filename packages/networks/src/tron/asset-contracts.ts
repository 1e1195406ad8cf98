import { bytes, i64 } from '../codec/protobuf/proto-type.ts'
import { invalidPayload } from '../network-error.ts'
import { shownText } from '../preview/shown-text.ts'
import { addressText } from './address.ts'
import { type ContractRow, row } from './contract-row.ts'
import { sentNative, sentToken } from './described.ts'

/** Contracts that move TRX and TRC-10 tokens, by their number. */
export const assetContracts: Readonly<Record<number, ContractRow>> = {
  1: row(
    'TransferContract',
    { owner_address: bytes, to_address: bytes, amount: i64 },
    ({ to_address, amount }, scope) => sentNative(scope, addressText(to_address), amount),
  ),
  2: row(
    'TransferAssetContract',
    { asset_name: bytes, owner_address: bytes, to_address: bytes, amount: i64 },
    ({ asset_name, to_address, amount }, scope) =>
      sentToken(scope, addressText(to_address), tokenId(asset_name), amount),
  ),
  9: row(
    'ParticipateAssetIssueContract',
    { owner_address: bytes, to_address: bytes, asset_name: bytes, amount: i64 },
    ({ to_address, asset_name, amount }, scope) => {
      const { action, title } = sentNative(scope, addressText(to_address), amount, 'buyToken')
      return { action: { ...action, args: { token: tokenId(asset_name) } }, title }
    },
  ),
}

/** Tokens are numbers since proposal 15 (`ALLOW_SAME_TOKEN_NAME`); a name could be that of TRX. */
function tokenId(name: Uint8Array): string {
  const text = shownText(name)
  if (!/^[1-9][0-9]{0,18}$/.test(text)) throw invalidPayload('The id of a token is not a number.')
  return text
}
