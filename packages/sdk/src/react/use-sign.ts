import type { Client } from '../client/client.ts'
import { useAction } from './use-action.ts'

const message = ({ sign }: Client) => sign.message
const typedData = ({ sign }: Client) => sign.typedData
const transaction = ({ sign }: Client) => sign.transaction
const send = ({ evm }: Client) => evm.send
const sendUserOp = ({ userOps }: Client) => userOps.send

/** Signs messages. */
export const useSignMessage = () => useAction(message)

/** Signs typed data (EIP-712). */
export const useSignTypedData = () => useAction(typedData)

/** Signs transactions of any network. */
export const useSignTransaction = () => useAction(transaction)

/** Prepares, signs and sends EVM transactions. */
export const useSendTransaction = () => useAction(send)

/** Builds, signs and submits operations of the smart account. */
export const useSendUserOp = () => useAction(sendUserOp)
