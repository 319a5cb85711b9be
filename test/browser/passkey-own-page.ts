/** The script of a page of an application's own: `server-auth/client/webauthn` behind two buttons, and for the test. */
import * as passkeys from '../../lib/client/webauthn.js'

declare global {
  interface Window {
    ownPasskeys: typeof passkeys
  }
}

window.ownPasskeys = passkeys

onPress('add', () => passkeys.registerPasskey({ redirectTo: '/page/2' }))
onPress('sign-in', () => passkeys.signInWithPasskey({ redirectTo: '/page/2' }))

function onPress(id: string, act: () => Promise<passkeys.PasskeyResult>): void {
  document.getElementById(id)?.addEventListener('click', async () => {
    const result = await act()
    const message = document.querySelector('[role=alert]')
    if (message && !result.ok) message.textContent = result.message
  })
}
