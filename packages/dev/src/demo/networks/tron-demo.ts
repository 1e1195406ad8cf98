import { TronWeb, utils } from 'tronweb'
import { addressOf, type NetworkDemo } from './network-demo.ts'

/** A transfer of TRX. */
export const tronDemo: NetworkDemo = {
  chain: 'tron',
  curve: 'secp256k1',
  library: 'tronweb',
  make(wallet) {
    const own = addressOf(wallet, 'tron')
    const now = Date.now()
    const value = {
      owner_address: TronWeb.address.toHex(own),
      to_address: `41${'ab'.repeat(20)}`,
      amount: 25_000_000,
    }
    const message = utils.transaction.txJsonToPb({
      raw_data: {
        contract: [{ type: 'TransferContract', parameter: { value } }],
        ref_block_bytes: 'abcd',
        ref_block_hash: '0011223344556677',
        expiration: now + 60_000,
        timestamp: now,
      },
    } as never)
    const id = utils.transaction.txPbToTxID(message).replace(/^0x/, '')
    return {
      transaction: utils.transaction.txPbToRawDataHex(message).toLowerCase(),
      isSigned({ signature, transaction_hash }) {
        const signer = TronWeb.address.fromHex(utils.crypto.ecRecover(id, signature.slice(2)))
        return signer === own && transaction_hash === id
      },
    }
  },
}
