"""What people make on the page: rules, documents of several shots, a shelf that they take along and clear."""
import io
import time
import zipfile

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def mail(mark):
    """A mail with a text attachment."""
    return (f"From: Ann <ann@example.org>\r\nTo: office@example.org\r\nSubject: The mooring {mark}\r\n"
            "Date: Fri, 15 Jun 2012 10:00:00 +0000\r\nMIME-Version: 1.0\r\n"
            'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nThe schooner lies well.\r\n'
            '--b\r\nContent-Type: text/csv; name="list.csv"\r\nContent-Disposition: attachment; filename="list.csv"\r\n\r\na,b\r\n1,2\r\n--b--\r\n').encode()


def docx(mark):
    """A Word file with one paragraph."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr("[Content_Types].xml", '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
                      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
                      f'<Override PartName="/word/document.xml" ContentType="{WORD}.main+xml"/></Types>')
        file.writestr("_rels/.rels", '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
                      '<Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>')
        file.writestr("word/document.xml", '<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
                      f"<w:body><w:p><w:r><w:t>A letter {mark}</w:t></w:r></w:p></w:body></w:document>")
    return data.getvalue()


def give(page, selector, name, mime, data):
    page.locator(selector).first.set_input_files({"name": name, "mimeType": mime, "buffer": data})


def drop(walk, name, data, state):
    """Hands in bytes, which can be sent again; the card with that state is given."""
    page = walk.page
    walk.go("#/drop")
    give(page, "input[type=file][multiple]:not([webkitdirectory])", name, "application/octet-stream", data)
    card = page.locator(".upload", has_text=name).first
    card.locator(".state", has_text=state).wait_for(timeout=30000)
    return card


def making_rules(walk, check):
    page, mark = walk.page, f"{time.time_ns()}"
    walk.go("#/rules")
    page.wait_for_selector(".rulelist .rule", timeout=5000)
    if not page.locator("text=New rule").is_visible():
        print("     rules are not edited here")
        return
    lost = page.evaluate("""async () => {
      const { fieldsOf, ruleOf } = await import('./ruleparts.js'), { rules, templates } = await (await fetch('api/v1/rules')).json();
      const sorted = (value) => JSON.stringify(value, (key, one) => (one && typeof one === 'object' && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).sort()) : one));
      const odd = { id: 'odd', match: { mime: 'image/*', size: { min: '1KB' }, path: ['a/**', 'b/**'], text: { regex: 'a+b' } }, steps: [{ id: 'ocr', use: 'ocr.tesseract', with: { languages: ['deu'] } }],
        emit: ['ocr.pdf', { from: 'ocr.text', as: '{stem}.txt' }], texts: { day: { date: 'dmy' } }, onClash: 'replace', to: 'z' };
      return [odd, ...rules.map((one) => one.rule), ...templates.flatMap((one) => one.makes.map((make) => make.rule))]
        .filter((rule) => sorted(ruleOf(fieldsOf(rule, templates), rule, templates)) !== sorted(rule)).map((rule) => rule.id);
    }""")
    check("the form keeps what it cannot say", not lost, ", ".join(lost))
    page.click("text=New rule")
    page.wait_for_selector(".ruleform")
    identity = f"notes-{mark[-6:]}"
    page.get_by_label("Its name").fill(identity)
    page.get_by_label("Name", exact=True).fill("*.jotting")
    page.get_by_label("Folder in the outbox").fill("jottings")
    page.wait_for_timeout(900)
    walk.picture("rule-form")
    walk.hold("the form of a rule")
    give(page, ".ruleform input[type=file]", "a.jotting", "text/plain", b"words of a jotting")
    page.wait_for_selector(".ruleform .verdict .notice", timeout=15000)
    page.click("text=Try the rule with this file")
    page.wait_for_selector(".ruleform .results a", timeout=60000)
    page.wait_for_function("document.querySelector('.results pre')?.textContent.includes('jotting')", timeout=10000)
    check("a rule is tried with a file, with the result shown", True)
    walk.picture("rule-tried")
    page.click(".ruleform summary")
    text = page.get_by_label("The rule as JSON").input_value()
    check("the form writes JSON", '"name": "*.jotting"' in text and '"to": "jottings"' in text, text)
    page.get_by_label("The rule as JSON").fill(text.replace('"emit"', '"emitt"'))
    page.wait_for_selector(".ruleform .notice.bad pre", timeout=5000)
    told = page.locator(".ruleform .notice.bad pre").inner_text()
    check("a mistake is shown with its place", "did you mean" in told and "^" in told, told)
    walk.picture("rule-mistake")
    page.get_by_label("The rule as JSON").fill(text)
    page.wait_for_selector(".ruleform .notice.bad", state="detached", timeout=5000)
    page.click("text=Add the rule")
    card = page.locator(".rule", has_text=identity)
    card.wait_for(timeout=20000)
    check("the rule is there", card.count() == 1)
    before = page.locator(".rule").count()
    card.get_by_role("button", name="Earlier").or_(card.get_by_text("Earlier")).first.click()
    page.wait_for_timeout(1500)
    order = page.locator(".rule h2").all_inner_texts()
    check("a rule is moved", order.index(identity) == before - 2, str(order))
    page.locator(".rule", has_text=identity).get_by_text("Remove").click()
    page.locator(".rule", has_text=identity).wait_for(state="detached", timeout=20000)
    page.click("#toast >> text=Undo")
    page.locator(".rule", has_text=identity).wait_for(timeout=20000)
    check("a rule is removed, and the removal undone", page.locator(".rule h2").all_inner_texts() == order)
    page.locator(".rule", has_text=identity).get_by_text("Remove").click()
    page.locator(".rule", has_text=identity).wait_for(state="detached", timeout=20000)


def offers(walk, check):
    """A Word file that no rule takes gets the rule that does."""
    page, mark = walk.page, f"{walk.name}-{time.time_ns()}"
    page.goto(page.url.split("#")[0] + "#/rules")
    taken = page.evaluate("""async () => (await (await fetch('api/v1/rules')).json()).rules.some((rule) => rule.id === 'documents')""")
    card = drop(walk, f"letter-{mark}.docx", docx(mark), "Done" if taken else "No rule")
    if not taken:
        check("the rule for Word files is offered", card.get_by_text("Read Word files").count() == 1, card.inner_text())
        walk.picture("offer")
        card.get_by_text("Read Word files").click()
        card.get_by_text("Open the document").wait_for(timeout=60000)
        check("from then on they are read", "Done" in card.inner_text(), card.inner_text())


def shelf(walk, check):
    """Documents as pictures, taken along, processed again."""
    page = walk.page
    walk.go("#/documents")
    page.wait_for_selector(".tile", timeout=10000)
    page.wait_for_timeout(1500)
    walk.picture("documents")
    walk.hold("documents")
    for box in page.locator(".tile .tick input").all()[:2]:
        box.check()
    check("the selection says how many", "2 documents" in page.locator(".selection").inner_text())
    walk.picture("documents-selected")
    walk.hold("selected documents")
    with page.expect_download(timeout=30000) as download:
        page.click("text=Download as ZIP")
    names = zipfile.ZipFile(download.value.path()).namelist()
    check("the ZIP file has their results", len(names) >= 2, str(names))
    page.click("text=Select none")
    check("nothing is selected then", not page.locator(".selection").is_visible())


def shots(walk, check, photo):
    """Two photos become one document, the second turned and put first."""
    page, mark = walk.page, f"{time.time_ns()}"
    walk.go("#/drop")
    page.click("text=Several photos of one document")
    page.wait_for_selector(".assemble")
    for name in ("one.jpg", "two.jpg"):
        give(page, ".view input[type=file][multiple]", name, "image/jpeg", photo + mark.encode() + name.encode())
    page.wait_for_function("document.querySelectorAll('.shot').length === 2")
    page.locator(".shot").nth(1).get_by_label("Turn clockwise").click()
    page.locator(".shot").nth(1).get_by_label("Move forward").click()
    turned = page.evaluate("[...document.querySelectorAll('.shot .face')].map((one) => one.dataset.turn ?? '')")
    check("shots are turned and moved", turned == ["90", ""], str(turned))
    walk.picture("shots")
    walk.hold("several shots")
    page.get_by_label("Name of the document").fill(f"shots-{mark}")
    page.click("text=Hand in as one document")
    card = page.locator(".upload", has_text=f"shots-{mark}").first
    card.get_by_text("Open the document").wait_for(timeout=120000)
    card.get_by_text("Open the document").click()
    page.wait_for_selector(".dochead .state", timeout=20000)
    page.wait_for_timeout(1500)
    walk.picture("shots-document")
    count = page.evaluate("async () => (await (await fetch(`api/v1/jobs/${location.hash.split('/')[2].split('?')[0]}`)).json()).views.pages")
    check("they are one document of two pages", count == 2, str(count))
    page.click("text=Arrange pages")
    page.wait_for_function("document.querySelectorAll('.shot').length === 2", timeout=10000)
    page.wait_for_timeout(1500)
    walk.picture("arrange")
    page.locator(".shot").nth(0).get_by_label("Leave out").click()
    page.get_by_label("Name of the document").fill(f"second-{mark}")
    page.click("text=Hand in as one document")
    page.locator(".upload", has_text=f"second-{mark}").first.get_by_text("Open the document").wait_for(timeout=120000)
    check("a page of a document becomes a document", True)


def mails(walk, check):
    """A mail shows who wrote it."""
    page, mark = walk.page, f"{time.time_ns()}"
    taken = page.evaluate("""async () => (await (await fetch('api/v1/rules')).json()).rules.some((rule) => rule.id === 'mail')""")
    card = drop(walk, f"letter-{mark}.eml", mail(mark), "Done" if taken else "No rule")
    if not taken:
        card.get_by_text("Read mails").click()
    card.get_by_text("Open the document").wait_for(timeout=60000)
    card.get_by_text("Open the document").click()
    page.wait_for_selector(".mail", timeout=10000)
    page.wait_for_function("document.querySelector('.mailtext')?.textContent.includes('schooner')", timeout=10000)
    text = page.locator(".mail").inner_text()
    check("a mail shows sender, subject and attachment", all(one in text for one in ("ann@example.org", "The mooring", "list.csv")), text)
    walk.picture("mail")
    walk.hold("a mail")


def making(walk, check, photo):
    making_rules(walk, check)
    offers(walk, check)
    mails(walk, check)
    shots(walk, check, photo)
    shelf(walk, check)
