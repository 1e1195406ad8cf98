import { useEffect, useState } from 'react'
import { devCall } from './demo-config.ts'

/** An email as the development mailbox has it, with the code that its text carries. */
export type Mail = { id: string; subject: string; text: string; code: string | undefined; receivedAt: Date }

const everyMs = 1_000
const shownMax = 4

/** The newest emails to an address, newest first, followed while the page is looked at. */
export function useMailbox(address: string): readonly Mail[] {
  const [mails, setMails] = useState<readonly Mail[]>([])
  useEffect(() => {
    let isOver = false
    setMails([])
    const read = async () => {
      if (address === '' || document.hidden) return
      const { data } = await devCall<{ id: string; subject: string; text: string; received_at: string }[]>(
        `/dev/mailbox/messages?to=${encodeURIComponent(address)}`,
      )
      if (isOver || data === null) return
      setMails((former) =>
        former[0]?.id === data[0]?.id
          ? former
          : data.slice(0, shownMax).map(({ id, subject, text, received_at }) => ({
              id,
              subject,
              text,
              code: /\b\d{6}\b/.exec(text)?.[0],
              receivedAt: new Date(received_at),
            })),
      )
    }
    void read()
    const timer = setInterval(() => void read(), everyMs)
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [address])
  return mails
}
