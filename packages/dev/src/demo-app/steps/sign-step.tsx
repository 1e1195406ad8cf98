import type { SignResponse, Wallet } from '@symbolon/sdk'
import { useSymbolon } from '@symbolon/sdk/react'
import { useState } from 'react'
import { type Hex, recoverMessageAddress } from 'viem'
import type { SigningMode } from '../demo-config.ts'
import { ErrorNotice } from '../error-notice.tsx'
import { StepCard } from '../step-card.tsx'
import { Button } from '../ui/button.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { useLoggedAction } from '../use-logged-action.ts'

const code = `const { data } = await client.sign.message('Hello')
data.signature          // 65 bytes, 0x…

// Or with the libraries you have: the wallet is an EIP-1193 provider.
import { createWalletClient, custom } from 'viem'
const wallet = createWalletClient({ transport: custom(client.ethereum()) })
await wallet.signMessage({ account, message: 'Hello' })

// Verified by anybody:
import { recoverMessageAddress } from 'viem'
await recoverMessageAddress({ message: 'Hello', signature: data.signature })`

const leads = {
  client:
    'Review the message before you sign it. Then viem, an independent library, recovers the signer from the signature.',
  tee: 'The enclave decodes the message, signs it and wipes the key. Then viem, an independent library, recovers the signer from the signature.',
}

/** Signing a message, and verifying the signature with a library that is not ours. */
export function SignStep({
  mode,
  wallet,
  waitsFor,
}: {
  mode: SigningMode
  wallet: Wallet | undefined
  waitsFor: string | undefined
}) {
  const client = useSymbolon()
  // What failed for lack of a share is over with a recovery.
  const sign = useLoggedAction<SignResponse>(wallet?.polynomial_version)
  const [message, setMessage] = useState('Hello, Symbolon!')
  const [recovered, setRecovered] = useState<string>()
  const isRight = recovered !== undefined && recovered === wallet?.addresses['evm']

  const signMessage = async () => {
    setRecovered(undefined)
    const result = await sign.run(`sign.message(${JSON.stringify(message)})`, () =>
      client.sign.message(message),
    )
    const signature = result?.data?.signature
    if (signature !== undefined)
      setRecovered(await recoverMessageAddress({ message, signature: signature as Hex }))
  }

  return (
    <StepCard
      number={3}
      title="Sign a message"
      lead={leads[mode]}
      code={code}
      isDone={isRight}
      waitsFor={waitsFor}
    >
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          void signMessage()
        }}
      >
        <Field label="Message" required maxLength={1_000} value={message} onText={setMessage} />
        <Button type="submit" look="primary" isBusy={sign.isRunning}>
          Sign
        </Button>
      </form>
      <ErrorNotice error={sign.error} />
      {sign.data?.signature !== undefined && recovered !== undefined && (
        <Verified signature={sign.data.signature} signer={recovered} isRight={isRight} />
      )}
    </StepCard>
  )
}

function Verified({ signature, signer, isRight }: { signature: string; signer: string; isRight: boolean }) {
  return (
    <>
      <Facts>
        <Fact name="Signature" text={signature} />
        <Fact name="Signed by" text={signer} />
      </Facts>
      <Notice look={isRight ? 'good' : 'bad'}>
        {isRight ? 'Verified: the signer is your wallet.' : 'The signer is not your wallet.'}
      </Notice>
    </>
  )
}
