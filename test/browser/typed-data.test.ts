import { preview } from '@symbolon/networks/testing/by-intent'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import { describe, expect, test } from 'vitest'
import { armedMs, dialogBrowser, isDisabled } from './support/dialog-browser.ts'
import { sampleConfirm } from './support/dialog-page.ts'
import { keepPicture } from './support/look-at.ts'

const open = dialogBrowser()
const alarm = 'Do not confirm unless you know exactly what this does'
const viewport = { width: 360, height: 640 }

/** A dialog about typed data of an application, whose members are texts. */
function viewOf(primaryType: string, message: Readonly<Record<string, string>>, chainId = 8453) {
  const domain = { name: 'Town hall', version: '2', chainId }
  const members = Object.keys(message).map((name) => ({ name, type: 'string' }))
  const typedData = { domain, types: { [primaryType]: members }, primaryType, message }
  const intent = { kind: 'typed_data', chain: 'base', typedData: JSON.stringify(typedData) } as const
  return sampleConfirm({
    subject: 'signature',
    preview: preview(intent, 'secp256k1', testKey('secp256k1', 0).publicKey),
    domain: [
      { label: 'Application', text: domain.name },
      { label: 'Version', text: domain.version },
    ],
    details: [{ label: 'Typed data', text: JSON.stringify(typedData, null, 2) }],
  })
}

const long = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`question${i}`, `Answer ${i}`]))

describe('typed data that no decoder knows', () => {
  test.each(['light', 'dark'] as const)(
    'without anything dangerous has a note, all fields, and no need to scroll, in %s',
    async (colorScheme) => {
      const { stage, frame, page, named, outcome } = await open({ viewport, colorScheme })
      await stage.call('confirm', viewOf('Vote', { space: 'town', choice: 'yes', ...long }, 1))
      await frame.getByText('This kind of message is not known here.').waitFor()
      await frame.getByText('This is for the chain with id 1, not for Base.').waitFor()
      const shown = (await frame.getByRole('dialog').textContent()) ?? ''
      for (const text of ['question29', 'Answer 29', 'Town hall']) expect(shown).toContain(text)
      expect(shown).not.toContain(alarm)
      expect(shown).not.toContain('It could move everything you have.')
      await keepPicture(page, `typed-calm-${colorScheme}`)
      await expect.poll(() => isDisabled(frame, 'Confirm')).toBeNull()
      await named('Confirm').click()
      await expect.poll(outcome).toBe(true)
    },
  )

  test.each(['light', 'dark'] as const)(
    'of a dangerous shape is an alarm, read to its end, in %s',
    async (colorScheme) => {
      const { stage, frame, page, named, outcome } = await open({ viewport, colorScheme })
      await stage.call('confirm', viewOf('Order', { id: '1', ...long }))
      await frame.getByText(alarm).waitFor()
      await frame.getByText('It could move everything you have.').waitFor()
      await page.waitForTimeout(armedMs)
      await keepPicture(page, `typed-alarm-${colorScheme}`)
      expect(await isDisabled(frame, 'Confirm')).toBe('true')
      await frame.locator('.content').focus()
      await page.keyboard.press('End')
      await expect.poll(() => isDisabled(frame, 'Confirm')).toBeNull()
      await named('Reject').click()
      await expect.poll(outcome).toBe(false)
    },
  )
})
