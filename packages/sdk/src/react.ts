export { SymbolonProvider, useSymbolon } from './react/symbolon-provider.ts'
export { type Action, useAction } from './react/use-action.ts'
export { useSession } from './react/use-session.ts'
export {
  useSendTransaction,
  useSendUserOp,
  useSignMessage,
  useSignTransaction,
  useSignTypedData,
} from './react/use-sign.ts'
export { type UseWallet, useWallet } from './react/use-wallet.ts'
