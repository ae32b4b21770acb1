/**
 * Carries out steps on a text document with python-docx and the XML below it, which neither preparers nor checks use. Blocks that no step
 * names keep all they have.
 */
export const documentProgram = String.raw`import copy
import json
import os
import sys

import docx
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.parts.numbering import NumberingPart
from docx.shared import Pt
from lxml import etree

folder = os.environ.get("SOLUTION_FOLDER") or os.path.dirname(os.path.abspath(__file__))
root = os.environ.get("SOLUTION_ROOT", "")
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def element(name, **attributes):
    made = OxmlElement(name)
    for key, value in attributes.items():
        made.set(qn("w:" + key), str(value))
    return made


def run_element(run):
    made = element("w:r")
    look = element("w:rPr")
    if run.get("font"):
        look.append(element("w:rFonts", ascii=run["font"], hAnsi=run["font"], cs=run["font"]))
    for key, name in (("bold", "w:b"), ("italic", "w:i")):
        if key in run:
            look.append(element(name, val="1" if run[key] else "0"))
    if run.get("color"):
        look.append(element("w:color", val=run["color"]))
    if run.get("size"):
        look.append(element("w:sz", val=round(run["size"] * 2)))
        look.append(element("w:szCs", val=round(run["size"] * 2)))
    if run.get("underline"):
        look.append(element("w:u", val="single"))
    if len(look):
        made.append(look)
    if run.get("field"):
        field = element("w:fldSimple", instr="PAGE" if run["field"] == "page" else "NUMPAGES")
        text = element("w:t")
        text.text = "1"
        made.append(text)
        field.append(made)
        return [field]
    for index, part in enumerate(run["text"].split("\t")):
        if index:
            made.append(element("w:tab"))
        if part:
            text = element("w:t")
            text.text = part
            text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
            made.append(text)
    return [made]


def numbering_id(document, kind):
    try:
        part = document.part.part_related_by(RELATIONSHIP_TYPE.NUMBERING)
    except KeyError:
        start = etree.fromstring('<w:numbering xmlns:w="%s"/>' % W)
        content = "application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"
        part = NumberingPart.load(PackURI("/word/numbering.xml"), content, etree.tostring(start), document.part.package)
        document.part.relate_to(part, RELATIONSHIP_TYPE.NUMBERING)
    numbering = part._element
    used = [int(one.get(qn("w:abstractNumId"))) for one in numbering.findall(qn("w:abstractNum"))]
    abstract_id = max(used, default=0) + 1
    abstract = element("w:abstractNum", abstractNumId=abstract_id)
    level = element("w:lvl", ilvl=0)
    level.append(element("w:start", val=1))
    level.append(element("w:numFmt", val="bullet" if kind == "bullet" else "decimal"))
    level.append(element("w:lvlText", val="•" if kind == "bullet" else "%1."))
    level.append(element("w:lvlJc", val="left"))
    around = element("w:pPr")
    around.append(element("w:ind", left=720, hanging=360))
    level.append(around)
    abstract.append(level)
    first = numbering.find(qn("w:num"))
    if first is None:
        numbering.append(abstract)
    else:
        first.addprevious(abstract)
    number = max([int(one.get(qn("w:numId"))) for one in numbering.findall(qn("w:num"))], default=0) + 1
    num = element("w:num", numId=number)
    num.append(element("w:abstractNumId", val=abstract_id))
    numbering.append(num)
    return number


def paragraph_element(document, block, lists):
    made = element("w:p")
    around = element("w:pPr")
    if block.get("style", "Normal") != "Normal":
        around.append(element("w:pStyle", val=document.styles[block["style"]].style_id))
    if block.get("list"):
        key = block["list"]["id"] + block["list"]["kind"]
        if key not in lists:
            lists[key] = numbering_id(document, block["list"]["kind"])
        numbered = element("w:numPr")
        numbered.append(element("w:ilvl", val=block["list"]["level"]))
        numbered.append(element("w:numId", val=lists[key]))
        around.append(numbered)
    spacing = {}
    if "before" in block:
        spacing["before"] = round(block["before"] * 20)
    if "after" in block:
        spacing["after"] = round(block["after"] * 20)
    if "lines" in block:
        spacing["line"] = round(block["lines"] * 240)
        spacing["lineRule"] = "auto"
    if spacing:
        around.append(element("w:spacing", **spacing))
    if block.get("align"):
        around.append(element("w:jc", val="both" if block["align"] == "justify" else block["align"]))
    if len(around):
        made.append(around)
    for run in block["runs"]:
        for one in run_element(run):
            made.append(one)
    return made


def table_element(document, block, lists):
    made = element("w:tbl")
    look = element("w:tblPr")
    look.append(element("w:tblW", w=0, type="auto"))
    if block["borders"]:
        borders = element("w:tblBorders")
        for side in ("top", "left", "bottom", "right", "insideH", "insideV"):
            borders.append(element("w:" + side, val="single", sz=4, space=0, color="808080"))
        look.append(borders)
    made.append(look)
    width = max(len(row) for row in block["rows"])
    grid = element("w:tblGrid")
    for _ in range(width):
        grid.append(element("w:gridCol", w=9000 // width))
    made.append(grid)
    for at, row in enumerate(block["rows"]):
        line = element("w:tr")
        if at == 0 and block["headerRow"]:
            repeats = element("w:trPr")
            repeats.append(element("w:tblHeader"))
            line.append(repeats)
        for cell in row:
            box = element("w:tc")
            form = element("w:tcPr")
            form.append(element("w:tcW", w=9000 // width, type="dxa"))
            if cell.get("fill"):
                form.append(element("w:shd", val="clear", color="auto", fill=cell["fill"]))
            box.append(form)
            box.append(paragraph_element(document, {"runs": cell["runs"], "after": 0, **({"align": cell["align"]} if cell.get("align") else {})}, lists))
            line.append(box)
        made.append(line)
    return made


def set_edge(document, edge, blocks):
    edge.is_linked_to_previous = False
    holder = edge._element
    for child in list(holder):
        holder.remove(child)
    for block in blocks or [{"runs": []}]:
        holder.append(paragraph_element(document, block, {}))


with open(os.path.join(folder, sys.argv[1]), encoding="utf-8") as plan:
    files = json.load(plan)
for file in files:
    path = root + file["path"]
    document = docx.Document(path)
    body = document.element.body
    old = [one for one in body if one.tag in (qn("w:p"), qn("w:tbl"))]
    end = body.find(qn("w:sectPr"))
    lists = {}
    for step in file["steps"]:
        if step["do"] == "page":
            section = document.sections[-1]
            for name, key in (("page_width", "width"), ("page_height", "height"), ("top_margin", "top"), ("right_margin", "right"), ("bottom_margin", "bottom"), ("left_margin", "left")):
                setattr(section, name, Pt(step["page"][key]))
            size = section._sectPr.find(qn("w:pgSz"))
            if step["page"]["width"] > step["page"]["height"]:
                size.set(qn("w:orient"), "landscape")
            elif qn("w:orient") in size.attrib:
                del size.attrib[qn("w:orient")]
        elif step["do"] in ("header", "footer"):
            set_edge(document, getattr(document.sections[-1], step["do"]), step["blocks"])
        else:
            # The blocks in their new order: kept ones by their old place, others as they are to be.
            for one in old:
                body.remove(one)
            for block in step["blocks"]:
                if "keep" in block:
                    made = old[block["keep"]]
                elif block["type"] == "table":
                    made = table_element(document, block, lists)
                else:
                    made = paragraph_element(document, block, lists)
                end.addprevious(made)
    document.save(path + ".new")
    os.replace(path + ".new", path)
`;
