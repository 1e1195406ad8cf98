import {
  AccountAddress,
  AccountAuthenticatorEd25519,
  ChainId,
  Deserializer,
  EntryFunction,
  generateSigningMessageForTransaction,
  generateUserTransactionHash,
  RawTransaction,
  SignedTransaction,
  SimpleTransaction,
  TransactionAuthenticatorEd25519,
  TransactionPayloadEntryFunction,
  U64,
} from '@aptos-labs/ts-sdk'
import { addressOf, base64, type NetworkDemo } from './network-demo.ts'

const recipient = AccountAddress.from(`0x${'b0'.repeat(32)}`)

/** A transfer of APT. */
export const aptosDemo: NetworkDemo = {
  chain: 'aptos',
  curve: 'ed25519',
  library: '@aptos-labs/ts-sdk',
  make(wallet) {
    const call = EntryFunction.build('0x1::aptos_account', 'transfer', [], [recipient, new U64(150_000_000n)])
    const raw = new RawTransaction(
      AccountAddress.from(addressOf(wallet, 'aptos')),
      3n,
      new TransactionPayloadEntryFunction(call),
      2000n,
      100n,
      BigInt(Math.floor(Date.now() / 1000) + 600),
      new ChainId(1),
    )
    const transaction = new SimpleTransaction(raw)
    return {
      transaction: base64(raw.bcsToBytes()),
      isSigned({ signed_transaction, transaction_hash }) {
        const signed = SignedTransaction.deserialize(Deserializer.fromHex(String(signed_transaction)))
        const { authenticator } = signed
        if (!(authenticator instanceof TransactionAuthenticatorEd25519)) return false
        const { public_key: key, signature } = authenticator
        const message = generateSigningMessageForTransaction(transaction)
        const senderAuthenticator = new AccountAuthenticatorEd25519(key, signature)
        return (
          key.toString() === wallet.public_key &&
          key.verifySignature({ message, signature }) &&
          generateUserTransactionHash({ transaction, senderAuthenticator }) === transaction_hash
        )
      },
    }
  },
}
