/** The page that shows recovery codes once. Without scripts they can be downloaded, and copied or printed by hand. */
import { type Html, html, raw } from '../../pages/html.js'
import { type PageFrame, renderLayout, siteName } from '../../pages/layout.js'
import { toHref } from '../../pages/links.js'
import { renderHiddenInputs } from '../../pages/parts.js'
import { translate } from '../../pages/texts.js'

/** The content of the page. */
export interface RecoveryCodesPage {
  readonly frame: PageFrame
  readonly codes: readonly string[]
  /** The URL that the form is posted to. */
  readonly action: string
  readonly csrfToken: string
  /** The URL to which the user continues. */
  readonly nextUrl: string
}

/** Renders the page. */
export function renderRecoveryCodes(page: RecoveryCodesPage): string {
  const { frame, codes, action, csrfToken, nextUrl } = page
  const { language } = frame
  return renderLayout(frame, {
    name: 'two-factor-setup',
    title: translate(language, 'factors.codes'),
    main: html`<h1>${translate(language, 'factors.codes')}</h1>
<p class="lead only-print">${siteName(frame)}</p>
<p class="text no-print">${translate(language, 'factors.codesLead')}</p>
<ul class="codes" dir="ltr">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
${renderTools(page)}<p class="text">${translate(language, 'factors.codesOnce')}</p>
<div class="entries no-print">
<form method="post" action="${toHref(action)}">
${renderHiddenInputs(csrfToken, nextUrl)}
<input type="hidden" name="intent" value="kept">
<div class="fields">
<label class="check" for="kept"><input type="checkbox" name="kept" value="1" id="kept" required><span>${translate(language, 'factors.kept')}</span></label>
<button type="submit" class="button" id="submitButton">${translate(language, 'signIn.continue')}</button>
</div>
</form>
</div>
<script nonce="${frame.nonce}">${raw(script)}</script>`,
  })
}

/** Renders the buttons. Those that need the script are hidden until it runs. */
function renderTools({ frame, codes }: RecoveryCodesPage): Html {
  const { language } = frame
  const file = `${translate(language, 'factors.codesFor', { site: siteName(frame) })}\r\n\r\n${codes.join('\r\n')}\r\n`
  return html`<div class="tools no-print">
<button type="button" class="button quiet" id="copy-codes" hidden>${translate(language, 'factors.copy')}</button>
<a class="button quiet" download="recovery-codes.txt" href="data:text/plain;charset=utf-8,${encodeURIComponent(file)}">${translate(language, 'factors.download')}</a>
<button type="button" class="button quiet" id="print-codes" hidden>${translate(language, 'factors.print')}</button>
</div>
<p class="text no-print" role="status" id="codes-status" data-copied="${translate(language, 'factors.copied')}"></p>
`
}

/** Copies and prints. If the browser refuses the clipboard, the codes are selected, so that a key copies them. */
const script = `{const list=document.querySelector('.codes'),status=document.getElementById('codes-status');
const show=(id,work)=>{const button=document.getElementById(id);button.hidden=false;button.onclick=work};
const text=[...list.querySelectorAll('code')].map(code=>code.textContent).join('\\n');
if(navigator.clipboard)show('copy-codes',()=>navigator.clipboard.writeText(text).then(()=>{status.textContent=status.dataset.copied},()=>getSelection().selectAllChildren(list)));
show('print-codes',()=>print())}`
