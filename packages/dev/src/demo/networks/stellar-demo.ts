import { Account, Asset, Keypair, Networks, Operation, TransactionBuilder } from '@stellar/stellar-base'
import { addressOf, type NetworkDemo } from './network-demo.ts'

const recipient = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'

/** A payment of XLM. */
export const stellarDemo: NetworkDemo = {
  chain: 'stellar',
  curve: 'ed25519',
  library: '@stellar/stellar-base',
  make(wallet) {
    const own = addressOf(wallet, 'stellar')
    const networkPassphrase = Networks.PUBLIC
    const unsigned = new TransactionBuilder(new Account(own, '7'), { fee: '100', networkPassphrase })
      .addOperation(Operation.payment({ destination: recipient, asset: Asset.native(), amount: '1.5' }))
      .setTimeout(600)
      .build()
    return {
      transaction: unsigned.toEnvelope().toXDR('base64'),
      isSigned({ signed_transaction, transaction_hash }) {
        const signed = TransactionBuilder.fromXDR(String(signed_transaction), networkPassphrase)
        const signature = signed.signatures[0]?.signature() ?? Buffer.alloc(64)
        const isValid = Keypair.fromPublicKey(own).verify(unsigned.hash(), signature)
        return isValid && unsigned.hash().toString('hex') === transaction_hash
      },
    }
  },
}
