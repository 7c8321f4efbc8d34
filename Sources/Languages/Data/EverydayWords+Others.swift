extension EverydayWords {
  /// Those of languages of other families.
  static let others: [(String, String)] = [
    (
      "fi",
      """
      hei moi hyvää huomenta päivää iltaa kiitos terveisin huomenna eilen tänään maanantai tiistai keskiviikko \
      torstai perjantai lauantai sunnuntai maito leipä lasku ostaa kuuluu ystävällisin sinä me te he minun sinun \
      meidän teidän tuo ne olen olet olemme olivat ollut pitää täytyy saa voitte haluan haluaa tehdä tekee sanoa \
      antaa tulee tulla mennä menen lähtee saapuu alkaa päättyy maksaa avata sulje sulkekaa suljettu avoinna auki \
      ovi ovet sisäänkäynti uloskäynti hätäuloskäynti työnnä vedä kielletty tupakointi pysäköinti pääsy varo vaara \
      koira seuraava pysäkki asema päärautatieasema raide laituri vasen oikea wc vapaa varattu aihe liite liitteenä \
      vastaus kirje pyyntö vahvistus tapaaminen valitettavasti anteeksi sopimus irtisanominen osoite puhelin \
      allekirjoitus kopio hyvä arvoisa kunnioittavasti numero laskun summa yhteensä vero alv maksu maksettava \
      eräpäivä päivämäärä asiakas tilaus toimitus hinta tili päivän kuluessa määrä kuitti syödä juoda vettä vesi \
      kahvi tee lapsi lapset äiti isä ystävä kissa keittiö huone koulu koulussa opettaja auto juna bussi katu \
      kaupunki sää sataa aurinko paistaa kylmä lämmin uusi vanha iso pieni osta myydä lähettää unohda soita avain \
      avaimet kirja raha halpa kallis rakkaus rakastan onnellinen onnea syntymäpäivää tervetuloa apua lääkäri \
      sairaala tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu \
      joulukuu kuuta ensimmäinen viimeinen puoli tunti minuuttia vuosi vuotta aika jotain mitään kyllä missä milloin \
      miksi kuka kanssa ilman ennen jälkeen talo koti työ ikkuna pöytä ruoka illalla aamulla yö kello
      """
    ),
    (
      "et",
      """
      mina sina tema meie teie nemad minu sinu need kõik midagi teine olen oled oleme olete olid olnud saab võib \
      peab tahan tahab tegema ütlema tean kirjutama lugema leidma kadunud otsima ootama palun tänan aitäh maksab \
      algab lõpeb avama sulge suletud avatud uks uksed sissepääs väljapääs lükka tõmba keelatud suitsetamine \
      parkimine tähelepanu ettevaatust oht koer järgmine peatus jaam vasak parem era vaba kinni teema lisa vastus \
      kiri taotlus kinnitus kohtumine kahjuks vabandust leping aadress telefon allkiri lugupeetud lugupidamisega \
      number arve summa kokku maks makse maksta tähtaeg kuupäev klient tellimus hind konto päeva jooksul kogus sööma \
      jooma vesi kohv tee laps lapsed ema isa sõber kass köök tuba kool õpetaja auto rong buss tänav linn ilm sajab \
      päike külm soe hea halb uus vana suur väike tuleb läheb ostma müüma saatma unusta võti võtmed raamat raha odav \
      kallis armastus õnnelik õnne sünnipäevaks tere tulemast hommikust päevast õhtust ööd abi arst haigla esimene \
      viimane pool tund kell minutit aasta aeg kes kus millal miks kuidas üks kaks kolm neli viis kuus seitse \
      kaheksa üheksa kümme täna homme eile esmaspäev teisipäev kolmapäev neljapäev reede laupäev pühapäev leib piim \
      maja töö
      """
    ),
    (
      "hu",
      """
      szia jó reggelt napot estét köszönöm kérem üdvözlettel holnap tegnap ma hétfő kedd szerda csütörtök péntek \
      szombat vasárnap tej kenyér számla kívánok tisztelt én te ő mi ti ők engem téged minket nekem neked enyém ezek \
      azok semmi más vagyok vagyunk vannak voltak nincs tud tudok akar akarok szeretne szeretnék csinál mond ír \
      olvas hall talál elveszett keres vár gondol ért kerül kezdődik végződik nyit zár csukja nyitva zárva ajtó \
      ajtót bejárat kijárat vészkijárat tolni húzni tilos dohányozni dohányzás parkolni belépni figyelem vigyázat \
      veszély kutya következő megálló állomás pályaudvar vágány bal jobb balra jobbra magán mosdó szabad foglalt \
      tárgy melléklet válasz levél kérelem megerősítés találkozó sajnos elnézést szerződés felmondás cím telefon \
      aláírás másolat hölgyem uram köszönjük kérjük szám számlaszám összeg összesen adó áfa fizetés fizetendő \
      fizetési határidő dátum vevő ügyfél rendelés szállítás ár bank nap napon belül mennyiség nyugta enni inni víz \
      kávé tea gyerek gyerekek anya apa barát macska konyha szoba iskola tanár autó vonat busz utca város idő \
      időjárás esik eső süt hideg meleg rossz új régi nagy kicsi jön megy megyek venni eladni küld küldje felejtse \
      hív kulcs kulcsok könyv pénz olcsó drága szerelem szeretlek boldog születésnapot gratulálok üdvözöljük \
      segítség segít orvos kórház január február március április május június július augusztus szeptember október \
      november december első utolsó fél óra órakor perc év hónap hét valami hol mikor miért hogyan kettő három négy \
      öt hat nyolc kilenc tíz este éjszakát ház munka ablak
      """
    ),
    (
      "tr",
      """
      merhaba günaydın iyi akşamlar teşekkürler teşekkür lütfen selamlar yarın dün bugün pazartesi salı çarşamba \
      perşembe cuma cumartesi pazar süt ekmek fatura sayın nasılsın ben sen biz siz onlar beni seni bana sana benim \
      senin bizim sizin bunlar şu hiç herkes başka aynı olur olacak vardı yok ister istiyorum istiyor gerek lazım \
      yap yapmak yapın söyle bil biliyorum yaz oku duy bul bulundu kayıp ara bekle bekleyin düşün anlıyorum \
      ihtiyacım tutar başlıyor bitiyor aç kapat kapatın kapalı açık kapı kapıyı giriş çıkış acil itiniz çekiniz \
      yasak yasaktır sigara içmek içilmez park etmek dikkat tehlike köpek sonraki gelecek durak istasyon istasyonu \
      gar merkez merkezi peron sol sağ özel tuvalet boş dolu konu ekte ek cevap mektup mektubunuz talep onay randevu \
      toplantı maalesef özür sözleşme fesih adres telefon imza kopya saygılarımla saygılarımızla bay bayan numara \
      numarası tutarı toplam vergi kdv ödeme ödeyiniz son tarihi tarih müşteri sipariş teslimat fiyat hesap banka \
      gün içinde miktar fiş yemek su kahve çay çocuk çocuklar anne baba arkadaş kedi mutfak oda okul okula ders \
      öğretmen araba tren otobüs sokak şehir hava yağmur yağıyor güneş soğuk sıcak kötü yeni eski büyük küçük \
      geliyor gidiyor gitmek gel git satın almak satmak göndermek gönderin unutma unutmayın anahtar kitap para ucuz \
      pahalı aşk seviyorum mutlu doğum günün kutlu olsun tebrikler hoş geldiniz yardım doktor hastane ocak şubat \
      mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık ilk yarım saat dakika yıl ay hafta zaman şey \
      kim nerede neden nasıl iki üç dört beş altı yedi sekiz dokuz on ev iş geceler evet hayır
      """
    ),
    (
      "id",
      """
      halo selamat pagi siang malam terima kasih tolong besok kemarin hari senin selasa rabu kamis jumat sabtu \
      minggu susu roti faktur bapak aku kamu anda dia kami kita milik semua setiap lain sama sedang belum bukan \
      punya mau ingin harus boleh perlu buat membuat kata tahu menulis membaca mendengar menemukan hilang mencari \
      menunggu mengerti berapa harga mulai selesai buka tutup tertutup terbuka pintu masuk keluar darurat dorong \
      tarik dilarang merokok parkir perhatian awas bahaya anjing berikutnya halte stasiun pusat peron kiri kanan \
      pribadi kamar mandi kosong perihal lampiran terlampir jawaban surat permintaan konfirmasi janji rapat maaf \
      sayangnya kontrak alamat telepon tanda tangan terhormat hormat ibu nomor jumlah total pajak pembayaran \
      membayar bayar transfer jatuh tempo tanggal pelanggan pesanan pengiriman rekening barang makan minum air kopi \
      teh anak ayah teman kucing dapur sekolah guru mobil kereta api bus jalan kota cuaca hujan matahari dingin \
      panas baik buruk baru lama besar kecil datang pergi membeli menjual mengirim lupa kunci buku uang murah mahal \
      cinta senang ulang tahun bantuan dokter rumah sakit januari februari maret april mei juni juli agustus \
      september oktober november desember pertama terakhir setengah jam menit bulan sesuatu siapa mana kapan mengapa \
      bagaimana satu dua tiga empat lima enam tujuh delapan sembilan sepuluh kerja
      """
    ),
    (
      "vi",
      """
      tôi bạn anh chị em chúng ta họ này đó mọi tất cả khác có đã sẽ đang phải muốn cần làm nói biết viết đọc nghe \
      tìm thấy mất chờ đợi hiểu giá bắt đầu kết thúc mở đóng cửa vào ra lối thoát hiểm đẩy kéo cấm hút thuốc đỗ xe \
      chú ý nguy chó ga tiếp bến trái riêng vệ sinh thư trả lời yêu cầu xác nhận cuộc họp xin lỗi hợp đồng địa chỉ \
      điện thoại chữ ký kính gửi trân trọng cảm ơn vui lòng số hóa đơn tổng cộng thuế thanh toán ngày khách hàng \
      giao tài khoản ngân ăn uống nước cà phê trà trẻ con mẹ cha bố mèo bếp phòng trường học giáo viên tàu đường phố \
      thành thời tiết mưa nắng lạnh nóng tốt xấu mới cũ lớn nhỏ đến đi mua bán quên gọi chìa khóa sách tiền rẻ đắt \
      chúc mừng nhật chào giúp bác sĩ bệnh viện tiên cuối giờ phút năm tháng gì ai đâu khi nào tại sao như thế hai \
      ba bốn sáu bảy tám chín mười hôm nay mai qua nhà việc bánh mì sữa
      """
    ),
  ]
}
