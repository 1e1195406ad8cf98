import { expect, test } from 'vitest'
import { installed } from './installed.ts'

const absent: string = '@symbolon/no-such-package'

test('a package that is not installed is named together with the setting that needs it', async () => {
  const loading = installed('KMS=aws', '@aws-sdk/client-kms', () => import(absent))
  await expect(loading).rejects.toThrow(
    expect.objectContaining({
      name: 'PackageMissingError',
      message: expect.stringMatching(/^KMS=aws needs the package @aws-sdk\/client-kms,/),
    }),
  )
})

test('what a package throws while it loads is not hidden', async () => {
  const fault = new Error('broken')
  await expect(installed('KMS=aws', 'x', () => Promise.reject(fault))).rejects.toBe(fault)
})
